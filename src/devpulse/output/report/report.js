"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  root.classList.add("js");

  // Theme. A page opened from a disk may have no storage: the choice then lasts until it is closed.
  const themes = ["system", "light", "dark"];
  const stored = () => { try { return localStorage.getItem("devpulse-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("devpulse-theme", theme); } catch { /* no storage */ } };
  const toggle = byId("theme");
  const show = (theme) => {
    if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
    toggle.querySelector("span").textContent = theme;
  };
  show(themes.includes(stored()) ? stored() : "system");
  toggle.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "system") + 1) % themes.length];
    keep(next);
    show(next);
  });

  // Copying.
  const say = (text) => { byId("said").textContent = text; };
  const selectAndCopy = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  const copy = async (button, text) => {
    let done;
    try { await navigator.clipboard.writeText(text); done = true; } catch { done = selectAndCopy(text); }
    const label = button.textContent;
    button.textContent = done ? "Copied" : "Not copied";
    say(done ? "Copied" : "The browser did not let it be copied");
    button.focus();
    setTimeout(() => { button.textContent = label; }, 1500);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy], button[data-link]");
    if (!button || button.textContent.startsWith("Copied")) return;
    const link = button.dataset.link;
    copy(button, link === undefined ? button.dataset.copy : `${location.href.split("#")[0]}#${link}`);
  });

  // Filters.
  const form = byId("filters");
  const findings = [...document.querySelectorAll(".finding")].map((element) => ({
    element,
    severity: element.dataset.severity,
    status: element.dataset.status,
    category: element.dataset.category,
    path: element.dataset.path.toLowerCase(),
    waiting: element.querySelector(":scope > template"),
    text: null,
  }));
  // The details of the later findings wait until they are asked for or nobody waits.
  const complete = (one) => {
    one.waiting?.replaceWith(one.waiting.content);
    one.waiting = null;
  };
  const groups = [...document.querySelectorAll(".group")].map((element) => ({
    element,
    tally: element.querySelector("h2 .tally"),
    details: element.querySelector(":scope > details"),
    findings: findings.filter((one) => element.contains(one.element)),
  }));
  const textOf = (one) => {
    if (one.text === null) {
      const details = one.waiting ? one.waiting.content.textContent : "";
      one.text = `${one.path} ${one.category} ${one.element.id} ${one.element.textContent} ${details}`.toLowerCase();
    }
    return one.text;
  };
  const number = (value) => value.toLocaleString("en");
  const apply = () => {
    const wanted = new FormData(form);
    const severities = new Set(wanted.getAll("severity"));
    const statuses = new Set(wanted.getAll("status"));
    const category = wanted.get("category");
    const path = wanted.get("path").trim().toLowerCase();
    const words = wanted.get("text").trim().toLowerCase().split(/\s+/).filter(Boolean);
    const passes = (one) => severities.has(one.severity) && statuses.has(one.status)
      && (!category || one.category === category) && one.path.includes(path)
      && words.every((word) => textOf(one).includes(word));
    let shown = 0;
    for (const group of groups) {
      let left = 0;
      for (const one of group.findings) {
        const passed = passes(one);
        if (one.element.hidden === passed) one.element.hidden = !passed;
        left += passed;
        if (passed && words.length) complete(one);
      }
      group.element.hidden = left === 0;
      group.tally.textContent = left === group.findings.length ? number(left) : `${number(left)} of ${number(group.findings.length)}`;
      // What is searched for must be seen, also where it is folded away.
      if (group.details && words.length && left) group.details.open = true;
      shown += left;
    }
    byId("none").hidden = shown > 0;
    byId("shown").textContent = `${number(shown)} of ${number(findings.length)} findings shown`;
  };
  if (form) {
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    byId("titles").addEventListener("click", (event) => {
      const only = root.classList.toggle("titles");
      event.target.setAttribute("aria-pressed", String(only));
    });
    if (matchMedia("(max-width: 60rem)").matches) form.querySelector("details").open = false;
    // A browser fills forms in again after a reload.
    apply();
  }

  // Completed while nobody waits, so that the browser's own search finds everything; a printer waits for nothing.
  const idle = window.requestIdleCallback || ((work) => setTimeout(() => work({ timeRemaining: () => 8 })));
  let next = 0;
  const prepare = (deadline) => {
    while (next < findings.length && deadline.timeRemaining() > 2) {
      complete(findings[next]);
      textOf(findings[next++]);
    }
    if (next < findings.length) idle(prepare); else root.classList.add("complete");
  };
  idle(prepare);
  addEventListener("beforeprint", () => findings.forEach(complete));

  // Permalinks: a finding that is filtered out or folded away is shown all the same.
  const reveal = () => {
    const one = findings.find((other) => `#${other.element.id}` === location.hash);
    document.querySelector(".finding.target")?.classList.remove("target");
    if (!one) return;
    const { element } = one;
    complete(one);
    if (element.hidden) { form.reset(); apply(); }
    const folded = element.closest("details");
    if (folded) folded.open = true;
    element.classList.add("target");
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ behavior: "instant" });
    // Cards above get their real height only now.
    requestAnimationFrame(() => requestAnimationFrame(() => element.scrollIntoView({ behavior: "instant" })));
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
