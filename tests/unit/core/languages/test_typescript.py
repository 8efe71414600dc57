from __future__ import annotations

import pytest

from devpulse.core.languages import language_of
from devpulse.core.languages.typescript import SUPPORT
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import symbols_of

MODULE = """\
import { Injectable } from '@nestjs/common';

export interface User<T = string> {
  name: string;
  greet(other: User): void;
}
export type Role = 'admin' | 'guest';
export enum Level { Low, High }
export const enum Flag { A }
declare function legacy(a: string): void;
export const TIMEOUT: number = 30, OTHER = 2;

export function parse(a: string): string;
export function parse(a: number): number;
export function parse(a: any): any {
  return a;
}

/** Cares for users. */
@Injectable()
@Traced({ name: 'users' })
export class UserService<T> extends Base implements Service {
  @Input() private find = async (id: number): Promise<User> => this.load(id);
  count = 0;
  constructor(private readonly db: Db) { super(); }

  /** Shows one. */
  @Get(':id')
  @Roles('admin')
  async show(@Param('id') id: string): Promise<User> {
    return this.find(+id);
  }
  abstract run(): void;
  get size(): number { return 1; }
}

namespace Inner {
  export const twice = <T,>(x: T): T[] => [x, x];
}
export abstract class Shape { abstract area(): number; }
export const guard: Guard = (user): user is Admin => !!user;
export default async (event: Event) => {
  return event;
};
"""


def symbols(text: str) -> tuple[Symbol, ...]:
    return symbols_of("m.ts", "typescript", text)


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols(text) if symbol.qualified_name == name)


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("User", "interface", 3, 6),
        ("User.greet", "method", 5, 5),
        ("Role", "type", 7, 7),
        ("Level", "enum", 8, 8),
        ("Flag", "enum", 9, 9),
        ("legacy", "function", 10, 10),
        ("TIMEOUT", "constant", 11, 11),
        ("OTHER", "constant", 11, 11),
        ("UserService", "class", 20, 35),
        ("UserService.find", "method", 23, 23),
        ("UserService.constructor", "method", 25, 25),
        ("UserService.show", "route", 28, 32),
        ("UserService.run", "method", 33, 33),
        ("UserService.size", "method", 34, 34),
        ("Inner", "namespace", 37, 39),
        ("Inner.twice", "function", 38, 38),
        ("Shape", "class", 40, 40),
        ("Shape.area", "method", 40, 40),
        ("guard", "function", 41, 41),
        ("default", "function", 42, 44),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__overload_signatures_are_symbols_too():
    assert [(s.start_line, s.end_line) for s in symbols(MODULE) if s.name == "parse"] == [(13, 13), (14, 14), (15, 17)]
    assert len(symbols(MODULE)) == 23


def test_extract__signatures_leave_out_decorators():
    assert named(MODULE, "UserService").signature == "export class UserService<T> extends Base implements Service"
    assert named(MODULE, "UserService.show").signature == "async show(@Param('id') id: string): Promise<User>"
    assert named(MODULE, "User").signature == "export interface User<T = string>"
    assert named(MODULE, "Role").signature == "export type Role = 'admin' | 'guest'"
    assert named('export const KEY: string = "s3cr3t";', "KEY").signature == "export const KEY: string"


def test_extract__docstrings_stand_above_decorators():
    assert named(MODULE, "UserService").docstring == "Cares for users."
    assert named(MODULE, "UserService.show").docstring == "Shows one."
    assert named(MODULE, "Shape").docstring == ""


def test_extract__types_alone_define_nothing_more():
    assert (
        symbols("let x: { run(): void };\nimport type { A } from './a';\nexport { A };\nexport * from './b';\n") == ()
    )


def test_extract__broken_code_gives_what_stands_around_the_damage():
    text = (
        "export class A {\n  private x: = 3;\n  run(): void {\n    if (this.x {\n  }\n  stop(): void {}\n}\n"
        "export const ok = (a: number) => {\n  return a;\n};\ninterface B { x: string }\n"
    )
    found = {s.qualified_name: (s.start_line, s.end_line) for s in symbols(text)}
    assert found["A"] == (1, 7)
    assert found["A.stop"] == (6, 6)
    assert found["ok"] == (8, 10)
    assert found["B"] == (11, 11)


def test_language_of__typescript_extensions():
    assert [language_of(path) for path in ("a.ts", "a.mts", "a.cts", "a.d.ts")] == ["typescript"] * 4


NEST = """\
@Controller("users")
export class UsersController {
  // finds one
  @Get(":id")
  @UseGuards(Login)
  find(@Param() id: string) { return id }
  @Post() async create() {}
  @MessagePattern("x") heard() {}
  @Getter() plain() {}
  // @Get()
  none() {}
}
"""


def test_extract__methods_that_a_decorator_makes_routes():
    found = [(s.kind, s.name, s.start_line, s.end_line) for s in symbols(NEST)]
    assert found[1:] == [
        ("route", "find", 4, 6), ("route", "create", 7, 7), ("route", "heard", 8, 8),
        ("method", "plain", 9, 9), ("method", "none", 11, 11),
    ]  # fmt: skip


def test_standalone__a_route_of_a_class_needs_a_class_around_it():
    route = SUPPORT.standalone("route", "@Get()\n  find() {}")
    assert [s.name for s in symbols(route)] == ["Of", "find"]
    assert SUPPORT.standalone("route", 'app.get("/x", f)') == 'app.get("/x", f)'
