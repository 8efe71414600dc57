from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.path_traversal import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "send_file": """
        class FilesController < ApplicationController
          def download
            send_file "/var/files/#{params[:name]}"  # BAD
          end
        end
        """,
    "read": """
        class FilesController < ApplicationController
          def show
            path = Rails.root.join("docs", params[:page])
            render plain: File.read(path)  # BAD
          end
        end
        """,
    "delete": """
        class FilesController < ApplicationController
          def destroy
            File.delete("/var/files/" + params[:name])  # BAD
          end
        end
        """,
    "members of an archive in a block": """
        class Importer
          def unpack(archive, folder)
            Zip::File.open(archive) do |zip|
              zip.each do |entry|
                target = File.join(folder, entry.name)
                entry.extract(target)  # BAD
              end
            end
          end
        end
        """,
    "entry extracted under its own name": """
        def unpack(zipped, folder)
          Zip::File.open(zipped) do |zip_file|
            zip_file.each do |entry|
              zip_file.extract(entry, File.join(folder, entry.name)) # BAD
            end
          end
        end
        """,
}
QUIET = {
    "basename": """
        class FilesController < ApplicationController
          def download
            send_file "/var/files/#{File.basename(params[:name])}"
          end
        end
        """,
    "containment": """
        class FilesController < ApplicationController
          def show
            path = File.expand_path(params[:page], "/srv/docs")
            raise ActionController::RoutingError, "no" unless path.start_with?("/srv/docs/")
            render plain: File.read(path)
          end
        end
        """,
    "constant": """
        class FilesController < ApplicationController
          def terms
            send_file Rails.root.join("docs", "terms.pdf")
          end
        end
        """,
    "number": """
        class FilesController < ApplicationController
          def show
            send_file "/var/files/#{params[:id].to_i}.pdf"
          end
        end
        """,
    "members that stay inside": """
        class Importer
          def unpack(archive, folder)
            Zip::File.open(archive) do |zip|
              zip.each do |entry|
                target = File.expand_path(File.join(folder, entry.name))
                raise "outside" unless target.start_with?(File.expand_path(folder) + "/")
                entry.extract(target)
              end
            end
          end
        end
        """,
    "entry extracted under its last name": """
        def unpack(zipped)
          Zip::File.open(zipped) do |zip_file|
            zip_file.each do |entry|
              zip_file.extract(entry, File.join(@folder, File.basename(entry.name)))
            end
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
