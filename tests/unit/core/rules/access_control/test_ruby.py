from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, make_source, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.access_control.ruby import RULE

PATH = "app/controllers/posts_controller.rb"
REPORTED = {
    "a list of actions that leaves one out": """
        class PostsController < ApplicationController
          before_action :authenticate_user!, only: [:create, :update]

          def create
            Post.create!(post_params)
          end

          def update
            Post.find(params[:id]).update!(post_params)
          end

          def destroy  # BAD
            Post.find(params[:id]).destroy
          end
        end
        """,
    "an exception too many": """
        class Admin::CouponsController < ApplicationController
          before_action :require_login, except: %i[index show destroy]

          def index
            @coupons = Coupon.all
          end

          def create
            Coupon.create!(coupon_params)
          end

          def destroy  # BAD
            Coupon.find(params[:id]).destroy
          end
        end
        """,
    "policies in the neighbours": """
        class ProjectsController < ApplicationController
          def update
            @project = Project.find(params[:id])
            authorize @project
            @project.update!(project_params)
          end

          def archive
            @project = Project.find(params[:id])
            authorize @project
            @project.archive!
          end

          def destroy  # BAD
            Project.find(params[:id]).destroy
          end
        end
        """,
    "early exits in the neighbours": """
        class KeysController < ApplicationController
          def create
            return head :forbidden unless current_user&.admin?
            Key.create!(key_params)
          end

          def destroy  # BAD
            Key.find(params[:id]).destroy
          end
        end
        """,
    "the object of anybody": """
        class CardsController < ApplicationController
          before_action :authenticate_user!

          def update
            @card = current_user.cards.find(params[:id])
            @card.update!(card_params)
          end

          def destroy
            @card = Card.find(params[:id])  # BAD
            @card.destroy
          end
        end
        """,
}
QUIET = {
    "all guarded": """
        class PostsController < ApplicationController
          before_action :authenticate_user!

          def create
            Post.create!(post_params)
          end

          def destroy
            Post.find(params[:id]).destroy
          end
        end
        """,
    "nobody guarded: the parent decides": """
        class PostsController < Admin::BaseController
          def create
            Post.create!(post_params)
          end

          def destroy
            Post.find(params[:id]).destroy
          end
        end
        """,
    "reading is open": """
        class PostsController < ApplicationController
          before_action :authenticate_user!, except: [:index, :show]

          def index
            @posts = Post.all
          end

          def show
            @post = Post.find(params[:id])
          end

          def create
            Post.create!(post_params)
          end
        end
        """,
    "only the owner changes, everybody writes": """
        class CommentsController < ApplicationController
          before_action :require_owner, only: [:update, :destroy]

          def create
            Comment.create!(comment_params)
          end

          def update
            @comment.update!(comment_params)
          end

          def destroy
            @comment.destroy
          end
        end
        """,
    "left out on purpose": """
        class OrdersController < ApplicationController
          before_action :require_login
          skip_before_action :require_login, only: [:create]

          def create
            Order.create!(order_params)
          end

          def destroy
            Order.find(params[:id]).destroy
          end
        end
        """,
    "login and registration": """
        class SessionsController < ApplicationController
          before_action :require_login, only: [:destroy]

          def create
            user = User.find_by(email: params[:email])
            reset_session
          end

          def destroy
            reset_session
          end
        end
        """,
    "the filter of the object asks": """
        class NotesController < ApplicationController
          before_action :authenticate_user!, only: [:create]
          before_action :set_note, only: [:update, :destroy]

          def create
            Note.create!(note_params)
          end

          def update
            @note.update!(note_params)
          end

          def destroy
            @note.destroy
          end

          private

          def set_note
            @note = current_user.notes.find(params[:id])
          end
        end
        """,
    "the body asks in its own way": """
        class TopicsController < ApplicationController
          before_action :require_login, only: [:create, :update]

          def create
            Topic.create!(topic_params)
          end

          def update
            Topic.find(params[:id]).update!(topic_params)
          end

          def destroy
            topic = Topic.find(params[:id])
            topic.destroy if topic.deletable_by?(viewer)
          end
        end
        """,
    "an unknown filter may be a check": """
        class ThemesController < ApplicationController
          before_action :require_login, only: [:create]
          before_action :shop_context, only: [:destroy]

          def create
            Theme.create!(theme_params)
          end

          def destroy
            Theme.find(params[:id]).destroy
          end
        end
        """,
    "a filter of a parent loads the object": """
        class Admin::ChannelsController < Admin::ResourceController
          def create
            @channel = Channel.new(channel_params)
            authorize! :create, Channel
            @channel.save!
          end

          def merge
            authorize! :update, Channel
            Channel.merge(params[:ids])
          end

          def destroy
            @channel.destroy!
          end
        end
        """,
    "methods that are no actions": """
        class FilesController < ApplicationController
          before_action :authenticate_user!, only: [:create]

          def create
            store
          end

          private

          def delete_old
            Stored.old.delete_all
          end
        end
        """,
    "a model": """
        class Post < ApplicationRecord
          before_destroy :check_admin

          def destroy_later
            DestroyJob.perform_later(id)
          end
        end
        """,
    "all objects are for all who are logged in": """
        class TagsController < ApplicationController
          before_action :authenticate_user!

          def update
            Tag.find(params[:id]).update!(tag_params)
          end

          def destroy
            Tag.find(params[:id]).destroy
          end
        end
        """,
    "the bare object is shown, not changed": """
        class PhotosController < ApplicationController
          before_action :authenticate_user!

          def show
            @photo = Photo.find(params[:id])
          end

          def destroy
            current_user.photos.find(params[:id]).destroy
          end
        end
        """,
    "authorised after it is loaded": """
        class BoardsController < ApplicationController
          before_action :authenticate_user!

          def update
            current_user.boards.find(params[:id]).update!(board_params)
          end

          def destroy
            board = Board.find(params[:id])
            authorize! :destroy, board
            board.destroy
          end
        end
        """,
}
BASE = """
class ApplicationController < ActionController::Base
  before_action :authenticate_user!
end
"""
BEFORE = """
    class UsersController < ApplicationController
      before_action :require_login
      before_action :require_admin, only: [:update, :destroy]

      def update
        User.find(params[:id]).update!(user_params)
      end

      def destroy
        user = User.find(params[:id])
        authorize user
        user.destroy
      end
    end
    """
REMOVED = {
    "a filter of all actions": ("      before_action :require_login\n", "", [3]),
    "an action less": ("only: [:update, :destroy]", "only: [:destroy]", [4]),
    "a policy": ("        authorize user\n", "", [12]),
}
KEPT = {
    "another filter": (":require_login", ":authenticate_user!"),
    "all instead of some": ("require_admin, only: [:update, :destroy]", "require_admin"),
    "another check": ("authorize user", "raise Forbidden unless policy(user).destroy?"),
}


def hits(code: str, sources: dict[str, str] | None = None) -> list[Hit]:
    found = run(RULE, code, path=PATH, resolver=MemoryResolver(sources))
    return [hit for hit in found if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("name", REPORTED)
def test_check__reported(name: str) -> None:
    assert lines_of(hits(REPORTED[name])) == marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_check__quiet(name: str) -> None:
    assert hits(QUIET[name]) == []


def test_check__the_filter_of_the_parent_counts() -> None:
    code = REPORTED["a list of actions that leaves one out"]
    assert hits(code, {"ApplicationController": BASE.strip()}) == []


@pytest.mark.parametrize("name", REMOVED)
def test_check__removed_guard(name: str) -> None:
    old, new, expected = REMOVED[name]
    assert old in BEFORE
    found = list(RULE.run(make_source(BEFORE.replace(old, new), path=PATH, before=BEFORE), MemoryResolver()))
    assert [hit.start_line for hit in found if hit.side is Side.LEFT] == expected


@pytest.mark.parametrize("name", KEPT)
def test_check__guard_replaced(name: str) -> None:
    old, new = KEPT[name]
    assert old in BEFORE
    found = RULE.run(make_source(BEFORE.replace(old, new), path=PATH, before=BEFORE), MemoryResolver())
    assert [hit for hit in found if hit.side is Side.LEFT] == []
