from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

PATH = "src/main/java/app/Users.java"
REPORTED = {
    "path get param": """
        class A { void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
          String name = request.getParameter("file");
          File file = new File("/srv/files/", name);
          FileInputStream in = new FileInputStream(file); // BAD
        } }
        """,
    "files copy": """
        @RestController class A {
        @GetMapping("/d") void f(@RequestParam String name, HttpServletResponse response) throws Exception {
          Path p = Paths.get(BASE, name);
          Files.copy(p, response.getOutputStream()); // BAD
        } }
        """,
    "upload": """
        @RestController class A {
        @PostMapping("/u") String f(@RequestParam("file") MultipartFile file) throws Exception {
          file.transferTo(new File(DIR + "/" + file.getOriginalFilename())); // BAD
        } }
        """,
    "upload resolve": """
        @RestController class A {
        @PostMapping("/u") String f(@RequestParam("file") MultipartFile file) throws Exception {
          Path target = root.resolve(file.getOriginalFilename());
          Files.copy(file.getInputStream(), target); // BAD
        } }
        """,
    "delete": """
        class A { @DeleteMapping("/f/{name}") void f(@PathVariable String name) {
        new File(BASE + "/" + name).delete(); // BAD
        } }
        """,
    "zip slip": """
        class A { void unzip(InputStream in, File dest) throws Exception {
          ZipInputStream zis = new ZipInputStream(in);
          ZipEntry entry;
          while ((entry = zis.getNextEntry()) != null) {
            File f = new File(dest, entry.getName());
            FileOutputStream out = new FileOutputStream(f); // BAD
            IOUtils.copy(zis, out);
          }
        } }
        """,
    "zip file slip": """
        class A { void unzip(String file, Path dest) throws Exception {
          try (ZipFile zip = new ZipFile(file)) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
              ZipEntry entry = entries.nextElement();
              Path target = dest.resolve(entry.getName());
              Files.copy(zip.getInputStream(entry), target); // BAD
            }
          }
        } }
        """,
    "download parameter": """
        class A { Resource downloadFile(String fileName) throws Exception {
        Path p = this.root.resolve(fileName); return new UrlResource(p.toUri()); // BAD
        } }
        """,
    "a class that is imported": """
        import java.io.FileInputStream;
        class A { void f(HttpServletRequest request) throws Exception {
        new FileInputStream(new File(ROOT, request.getParameter("lang") + ".json")); } } // BAD
        """,
    "member of a tar archive": """
        import java.io.FileOutputStream;
        class A { void untar(File folder, TarArchiveInputStream in) throws IOException {
        TarArchiveEntry member; while ((member = in.getNextTarEntry()) != null) {
        File target = new File(folder, member.getName());
        IOUtils.copy(in, new FileOutputStream(target)); } } } // BAD
        """,
    "entry given to a callback": """
        class A { void process(InputStream in, ZipEntry zipEntry) throws IOException {
        Files.copy(in, new File(this.folder, zipEntry.getName()).toPath()); } } // BAD
        """,
    "entry by its name": """
        class A { void extractFile(InputStream in, File folder, String entryName) throws IOException {
        File f = FileUtils.resolveFile(folder, entryName);
        in.transferTo(new FileOutputStream(f)); } } // BAD
        """,
    "name of a member behind a separator": """
        class Unpacks {
            void all(ZipInputStream archive, String folder) throws IOException {
                ZipEntry entry = archive.getNextEntry();
                String name = folder + File.separator + entry.getName();
                new FileOutputStream(name); // BAD
            }
        }
        """,
    "part of a form": """
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
            Part part = request.getPart("picture");
            part.write(folder + File.separator + part.getSubmittedFileName()); // BAD
        }
        """,
    "page to go on with": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
            request.getRequestDispatcher(request.getParameter("page")).forward(request, response); // BAD
        }
        """,
    "cut where another name has its last slash": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
            String name = request.getParameter("name");
            String other = request.getParameter("other");
            String last = name.substring(other.lastIndexOf("/") + 1);
            new FileInputStream("/srv/files/" + last).close(); // BAD
        }
        """,
}
QUIET = {
    "checked member behind a separator": """
        class Unpacks {
            void all(ZipInputStream archive, String folder) throws IOException {
                ZipEntry entry = archive.getNextEntry();
                String name = folder + File.separator + entry.getName();
                if (!new File(name).getCanonicalPath().startsWith(folder + File.separator)) throw new IOException();
                new FileOutputStream(name);
            }
        }
        """,
    "name of a member alone": """
        class Unpacks {
            boolean has(ZipInputStream archive, Set<String> names) throws IOException {
                return names.contains(archive.getNextEntry().getName());
            }
        }
        """,
    "zip slip fixed": """
        class A { void unzip(InputStream in, File dest) throws Exception {
          ZipInputStream zis = new ZipInputStream(in);
          ZipEntry entry;
          while ((entry = zis.getNextEntry()) != null) {
            File f = new File(dest, entry.getName());
            if (!f.getCanonicalPath().startsWith(dest.getCanonicalPath() + File.separator)) {
            throw new IOException("outside"); }
            FileOutputStream out = new FileOutputStream(f);
            IOUtils.copy(zis, out);
          }
        } }
        """,
    "zip normalize": """
        class A { void unzip(InputStream in, Path dest) throws Exception {
          ZipInputStream zis = new ZipInputStream(in);
          ZipEntry entry;
          while ((entry = zis.getNextEntry()) != null) {
            Path target = dest.resolve(entry.getName()).normalize();
            if (!target.startsWith(dest)) { throw new IOException("outside"); }
            Files.copy(zis, target);
          }
        } }
        """,
    "canonical": """
        class A { void f(HttpServletRequest request) throws Exception {
          File f = new File(BASE, request.getParameter("n"));
          String path = f.getCanonicalPath();
          if (!path.startsWith(BASE)) { throw new SecurityException(); }
          FileReader r = new FileReader(f);
        } }
        """,
    "filename": """
        class A { void f(HttpServletRequest request) throws Exception {
        new FileReader(new File(BASE, FilenameUtils.getName(request.getParameter("n")))); } }
        """,
    "getName of file": """
        class A { void f(HttpServletRequest request) throws Exception {
        new FileReader(new File(BASE, new File(request.getParameter("n")).getName())); } }
        """,
    "dots refused": """
        class A { void f(HttpServletRequest request) throws Exception { String n = request.getParameter("n");
        if (n.contains("..")) { return; } new FileReader(new File(BASE, n)); } }
        """,
    "cli": """
        class A { public static void main(String[] args) throws Exception { new FileReader(args[0]); } }
        """,
    "plain parameter": """
        class A { String read(String path) throws Exception { return Files.readString(Path.of(path)); } }
        """,
    "config": """
        class A { void f() throws Exception { new FileInputStream(new File(this.dir, this.name)); } }
        """,
    "number": """
        class A { void f(HttpServletRequest request) throws Exception {
        new FileReader(BASE + "/" + Long.parseLong(request.getParameter("n")) + ".txt"); } }
        """,
    "download parameter contained": """
        class A { Resource downloadFile(String fileName) throws Exception {
        Path p = this.root.resolve(fileName).normalize(); if (!p.startsWith(this.root)) { throw new X();
        } return new UrlResource(p.toUri()); } }
        """,
    "no dots, or inside": """
        class A { void process(InputStream in, ZipEntry zipEntry) throws IOException {
        String name = zipEntry.getName(); File file = new File(this.folder, name);
        if (name.indexOf("..") != -1 && !file.getCanonicalPath().startsWith(this.folder.getCanonicalPath())) {
        throw new IOException("outside"); } Files.copy(in, file.toPath()); } }
        """,
    "inside, or the folder itself": """
        class A { void extractFile(InputStream in, File folder, String entryName) throws IOException {
        File f = FileUtils.resolveFile(folder, entryName); String path = f.getCanonicalPath();
        String base = folder.getCanonicalPath();
        if (!path.startsWith(base + File.separator) && !path.equals(base)) { throw new IOException("outside"); }
        in.transferTo(new FileOutputStream(f)); } }
        """,
    "no dots by their place": """
        class A { void process(InputStream in, ZipEntry zipEntry) throws IOException {
        String name = zipEntry.getName(); if (name.indexOf("..") >= 0) { throw new IOException("dots"); }
        Files.copy(in, new File(this.folder, name).toPath()); } }
        """,
    "last part of an entry's name": """
        class A { void process(InputStream in, ZipEntry zipEntry) throws IOException {
        Files.copy(in, new File(this.folder, FilenameUtils.getName(zipEntry.getName())).toPath()); } }
        """,
    "entry of a map": """
        class A { void f(Map.Entry<String, String> entry) throws IOException {
        Files.copy(this.in, new File(this.folder, entry.getValue()).toPath()); } }
        """,
    "part under a name of its own": """
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
            Part part = request.getPart("picture");
            part.write(folder + File.separator + UUID.randomUUID());
            part.write(folder + File.separator + Paths.get(part.getSubmittedFileName()).getFileName().toString());
        }
        """,
    "known page to go on with": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
            String page = request.getParameter("page");
            if (!PAGES.contains(page)) {
                page = "home.jsp";
            }
            request.getRequestDispatcher(page).forward(request, response);
        }
        """,
    "only the ending of an upload": """
        @PostMapping("/picture")
        public void picture(@RequestParam("file") MultipartFile file) throws IOException {
            String name = file.getOriginalFilename();
            String ending = name.substring(name.lastIndexOf("."));
            file.transferTo(new File(FOLDER + System.currentTimeMillis() + ending));
            String last = name.substring(name.lastIndexOf("/") + 1);
            file.transferTo(new File(FOLDER, last));
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path=PATH)
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe) for hit in hits} == {("path-traversal", 22)}
    assert all(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path=PATH) == []
