"""``shard.json``: what a shard says of itself, so that shards can be told apart, checked and merged.

It is written when the shard begins, and again when it has ended, with the digest of each result. One that
never ended is thus seen to be torn. The model is the boundary: what is read back was written on another machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from devpulse.core.messages import Usage
from devpulse.core.review import EngineName
from devpulse.core.sharding import Shard

SHARD_NAME = "shard.json"
SCHEMA_NAME: Final = "devpulse.shard/1"

_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Count = Annotated[int, Field(ge=0)]
_Number = Annotated[int, Field(ge=1, le=999)]


@dataclass(frozen=True, slots=True)
class ShardRecord:
    """A shard. ``change`` is the digest of the change it worked on, ``head`` that change's commit if it has one.

    When it has ended: ``results`` are the digests of its tasks' results by task, ``usage`` is all that was paid for,
    and ``model_down`` says why its engine was not available, if it was not.
    """

    shard: Shard
    change: str
    head: str | None
    engine: str
    ended: bool = False
    results: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    usage: Usage = field(default_factory=Usage)
    model_down: str = ""


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _UsageV1(_Model):
    requests: _Count
    input_tokens: _Count
    cached_tokens: _Count
    output_tokens: _Count
    thinking_tokens: _Count
    cost_usd: Annotated[str, Field(pattern=r"^[0-9]{1,12}(\.[0-9]{1,30})?$")] | None
    """As a text: an exact sum."""


class _ShardV1(_Model):
    schema_: Literal["devpulse.shard/1"] = Field(alias="schema")
    number: _Number
    of: _Number
    change: _Digest
    head: Annotated[str, Field(max_length=64)] | None
    engine: EngineName
    ended: bool
    results: dict[Annotated[str, Field(max_length=200)], _Digest]
    usage: _UsageV1
    model_down: Annotated[str, Field(max_length=2_000)]


def render_shard(record: ShardRecord) -> str:
    """The whole of ``shard.json``."""
    used, cost = record.usage, record.usage.cost_usd
    document = _ShardV1(
        schema=SCHEMA_NAME,
        number=record.shard.number,
        of=record.shard.of,
        change=record.change,
        head=record.head,
        engine=cast("EngineName", record.engine),  # checked by the model
        ended=record.ended,
        results=dict(record.results),
        usage=_UsageV1(
            requests=used.requests,
            input_tokens=used.input_tokens,
            cached_tokens=used.cached_tokens,
            output_tokens=used.output_tokens,
            thinking_tokens=used.thinking_tokens,
            cost_usd=None if cost is None else f"{cost:f}",
        ),
        model_down=record.model_down[:2_000],
    )
    return document.model_dump_json(by_alias=True, indent=2) + "\n"


def parse_shard(text: str) -> ShardRecord:
    """The record that ``render_shard`` was given.

    Raises:
        ValueError: the text is no such record.
    """
    read = _ShardV1.model_validate_json(text)
    used = read.usage.model_dump()
    cost = used.pop("cost_usd")
    return ShardRecord(
        shard=Shard(read.number, read.of),
        change=read.change,
        head=read.head,
        engine=read.engine,
        ended=read.ended,
        results=MappingProxyType(read.results),
        usage=Usage(**used, cost_usd=None if cost is None else Decimal(cost)),
        model_down=read.model_down,
    )
