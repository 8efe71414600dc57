"""The ways that are compared, and which two of them each strategy is measured by."""

from __future__ import annotations

from builders import DictTree, MemoryIndex
from comparisons import make_arm

from devpulse.core.budget import ContextBudget
from devpulse.core.change import ChangeSet
from devpulse.core.comparison import AFTER, BEFORE
from devpulse.core.fence import Fence
from devpulse.core.redaction import Redactor
from devpulse.core.unbounded import UnboundedBudget
from devpulse.pipeline.gate import PathGate
from devpulse.pipeline.ways import COMPRESS, ISOLATE, VERBOSE, WHOLE_FILES, ablations, ways_of
from devpulse.pipeline.work import Work, read_work

BUDGET = ContextBudget(8_000)


def ways(*, ablation):
    tree = DictTree({})
    gate = PathGate(tree.size)
    work = Work(ChangeSet(None, (), "", ""), tree, tree, MemoryIndex(), gate, Redactor(), Fence("beef01"))
    return ways_of(work, read_work(work, keep=1), BUDGET, ablation=ablation)


def test_ways_of__both_arms_alone_or_with_one_for_each_strategy():
    assert list(ways(ablation=False)) == [AFTER, BEFORE]
    assert list(ways(ablation=True)) == [AFTER, BEFORE, ISOLATE, COMPRESS, WHOLE_FILES, VERBOSE]


def test_ways_of__after_is_the_usual_run_and_before_has_no_rules_but_one_order():
    both = ways(ablation=False)
    assert both[AFTER].budget is BUDGET
    assert both[AFTER].asked(model := object()) is model
    assert isinstance(both[BEFORE].budget, UnboundedBudget)
    assert both[BEFORE].one_by_one
    assert not both[AFTER].one_by_one


def test_ablations__each_strategy_with_the_arm_that_lacks_it():
    arms = {name: make_arm(name) for name in (AFTER, BEFORE, ISOLATE, COMPRESS, WHOLE_FILES, VERBOSE)}
    assert [(row.strategy, row.more.name, row.less.name) for row in ablations(arms)] == [
        ("isolate only", BEFORE, ISOLATE),
        ("compress only", BEFORE, COMPRESS),
        ("select", WHOLE_FILES, AFTER),
        ("write", VERBOSE, AFTER),
    ]
    assert ablations({name: arms[name] for name in (AFTER, BEFORE)}) == ()
