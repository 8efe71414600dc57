from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.sql_injection import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "where": """
        class PostsController < ApplicationController
          def index
            @posts = Post.where("title LIKE '%#{params[:q]}%'")  # BAD
          end
        end
        """,
    "a field that is set before the action": """
        class PostsController < ApplicationController
          before_action :load_words
          def index
            @posts = Post.where("title LIKE '%#{@words}%'")  # BAD
          end
          private
          def load_words
            @words = params[:q]
          end
        end
        """,
    "order": """
        class PostsController < ApplicationController
          def index
            sort = params[:sort]
            @posts = Post.order("created_at #{sort}")  # BAD
          end
        end
        """,
    "execute": """
        class ReportsController < ApplicationController
          def show
            sql = "SELECT * FROM orders WHERE id = " + params[:id]
            @rows = ActiveRecord::Base.connection.execute(sql)  # BAD
          end
        end
        """,
    "find_by_sql": """
        class UsersController < ApplicationController
          def show
            @user = User.find_by_sql("SELECT * FROM users WHERE name = '#{params[:name]}'").first  # BAD
          end
        end
        """,
    "columns": """
        class UsersController < ApplicationController
          def index
            @names = User.pluck("#{params[:column]}")  # BAD
            @sum = User.calculate(:sum, params[:column])  # BAD
          end
        end
        """,
    "conditions of a finder": """
        class ShelvesController < ApplicationController
          def index
            @books = Book.find(:all, :conditions => "shelf = '#{params[:shelf]}'") # BAD
          end
        end
        """,
    "direction that the caller chooses": """
        class Book < ApplicationRecord
          def self.sorted(column, dir)
            order("#{column} #{dir}") # BAD
          end

          def self.by_title(order)
            where(open: true).reorder("title #{order}") # BAD
          end
        end
        """,
    "dataset of a text": """
        def songs
          DB["SELECT * FROM songs WHERE artist = '#{params[:artist]}'"].all # BAD
        end
        """,
}
QUIET = {
    "a field that is set to a number": """
        class PostsController < ApplicationController
          before_action :load_page
          def index
            @posts = Post.where("title LIKE '%#{@page}%'")
          end
          private
          def load_page
            @page = params[:page].to_i
          end
        end
        """,
    "bound": """
        class PostsController < ApplicationController
          def index
            @posts = Post.where("title LIKE ?", "%#{params[:q]}%")
          end
        end
        """,
    "hash": """
        class PostsController < ApplicationController
          def index
            @posts = Post.where(title: params[:q]).limit(params[:limit].to_i)
          end
        end
        """,
    "number": """
        class ReportsController < ApplicationController
          def show
            @rows = ActiveRecord::Base.connection.execute("SELECT * FROM orders WHERE id = #{params[:id].to_i}")
          end
        end
        """,
    "quoted": """
        class UsersController < ApplicationController
          def show
            name = ActiveRecord::Base.connection.quote(params[:name])
            @users = User.find_by_sql("SELECT * FROM users WHERE name = #{name}")
          end
        end
        """,
    "constant": """
        class PostsController < ApplicationController
          def index
            @posts = Post.where("published = 1").order("created_at DESC")
          end
        end
        """,
    "allow-list": """
        class PostsController < ApplicationController
          def index
            sort = %w[title created_at].include?(params[:sort]) ? params[:sort] : "title"
            @posts = Post.order("#{sort} ASC")
          end
        end
        """,
    "bound conditions of a finder": """
        class ShelvesController < ApplicationController
          def index
            @books = Book.find(:all, :conditions => ["shelf = ?", params[:shelf]])
          end
        end
        """,
    "direction out of two": """
        class Book < ApplicationRecord
          def self.by_title(order)
            dir = order == "desc" ? "DESC" : "ASC"
            reorder("title #{dir}")
          end

          def self.by_year(order)
            raise ArgumentError unless %w[asc desc].include?(order)

            reorder("year #{order}")
          end
        end
        """,
    "dataset with its values": """
        def songs
          DB["SELECT * FROM songs WHERE artist = ?", params[:artist]].all
          DB[:songs].where(artist: params[:artist]).all
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
