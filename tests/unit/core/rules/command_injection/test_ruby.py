from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.command_injection import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "system": """
        class ImagesController < ApplicationController
          def convert
            system("convert #{params[:file]} out.png")  # BAD
          end
        end
        """,
    "backticks": """
        class HostsController < ApplicationController
          def ping
            host = params[:host]
            @result = `ping -c 1 #{host}`  # BAD
          end
        end
        """,
    "capture": """
        class HostsController < ApplicationController
          def lookup
            out, _ = Open3.capture2("nslookup " + params[:host])  # BAD
            render plain: out
          end
        end
        """,
    "popen": """
        class LogsController < ApplicationController
          def show
            @lines = IO.popen("tail -n #{params[:n]} app.log").readlines  # BAD
          end
        end
        """,
    "open that runs what begins with a bar": """
        class Download
          def save(filename)
            FileUtils.mkdir_p(File.dirname(filename))
            open(filename, "wb") { |file| file.write(@body) }  # BAD
          end
        end
        """,
    "runners of the program": """
        def tidy(folder)
          sh "rm -rf #{folder}/tmp" # BAD
          run_command("git -C #{folder} gc") # BAD
        end
        """,
    "field that the constructor was given": """
        class Thumbnail
          def initialize(source)
            @source = source
          end

          def make
            system("convert #{@source} small.png") # BAD
          end
        end
        """,
}
QUIET = {
    "steps of a build": """
        task :pack do
          name = "thing-#{Thing.release}"
          sh "gzip -f -9 #{name}.tar"
          sh "shasum #{name}.tar.gz"
        end
        """,
    "argument list": """
        class ImagesController < ApplicationController
          def convert
            system("convert", params[:file], "out.png")
          end
        end
        """,
    "escaped": """
        class HostsController < ApplicationController
          def ping
            @result = `ping -c 1 #{Shellwords.escape(params[:host])}`
          end
        end
        """,
    "popen with a list": """
        class LogsController < ApplicationController
          def show
            @lines = IO.popen(["tail", "-n", params[:n], "app.log"]).readlines
          end
        end
        """,
    "constant": """
        class HostsController < ApplicationController
          def uptime
            @result = `uptime`
          end
        end
        """,
    "number": """
        class LogsController < ApplicationController
          def show
            @lines = `tail -n #{Integer(params[:n])} app.log`
          end
        end
        """,
    "open of a file below a folder": """
        class Download
          def save(name)
            open("downloads/#{name}", "wb") { |file| file.write(@body) }
            open(File.join(@folder, name)) { |file| file.read }
            File.open(name, "wb") { |file| file.write(@body) }
          end
        end
        """,
    "an own open": """
        class Door
          def open(key)
            @lock.turn(key)
          end

          def enter(key)
            open(key)
          end
        end
        """,
    "runners of the program, with lists and escapes": """
        def tidy(folder)
          sh "rm", "-rf", folder
          run_command("git -C #{Shellwords.escape(folder)} gc")
          log_command("git -C #{folder} gc")
        end
        """,
    "field that is a number": """
        class Thumbnail
          def initialize(page)
            @page = page.to_i
          end

          def make
            system("convert #{@page}.png small.png")
          end
        end
        """,
}


def hits(code: str) -> list[Hit]:
    return [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("name", REPORTED)
def test_rule__reported(name: str) -> None:
    assert lines_of(hits(REPORTED[name])) == marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_rule__quiet(name: str) -> None:
    assert hits(QUIET[name]) == []
