"""Decides which address shows which page."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, path, register_converter
from django.views.i18n import set_language

from scoring.cash import views as cash
from scoring.cash.dues import views as dues
from scoring.cash.evening import views as evening_cash
from scoring.cash.ledger import views as ledger
from scoring.cash.months import views as cash_months
from scoring.cash.settling import views as settling
from scoring.cash.tariff import views as tariffs
from scoring.evenings import views as evenings
from scoring.league import views as league
from scoring.players import views as players
from scoring.table.views import cash as at_table
from scoring.table.views import games, late, links, live, seats
from scoring.whatif import views as whatif

from .accounts import views as accounts
from .administration import views as administration
from .archive import views as archives
from .club import views as club
from .demo import views as demo
from .exports import views as exports
from .imports import views as imports
from .rulesets import views as rules
from .site import views as site
from .standings import views as standings


class MonthConverter:
    """A month as 2026-03; it stays text."""

    regex = "[1-9][0-9]{3}-(?:0[1-9]|1[0-2])"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(MonthConverter, "month")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", site.home, name="home"),
    path("c/<slug:slug>/", site.club, name="club"),
    path("c/<slug:slug>/evenings/", evenings.evenings, name="evenings"),
    path("c/<slug:slug>/evenings/new/", evenings.evening_new, name="evening_new"),
    path("c/<slug:slug>/evenings/<int:pk>/", evenings.evening, name="evening"),
    path("c/<slug:slug>/evenings/<int:pk>/tables/new/", evenings.table_new, name="table_new"),
    path("c/<slug:slug>/evenings/<int:pk>/close/", evenings.evening_close, name="evening_close"),
    path("c/<slug:slug>/evenings/<int:pk>/reopen/", evenings.evening_reopen, name="evening_reopen"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/", evening_cash.evening_cash, name="evening_cash"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/people/", evening_cash.evening_people, name="evening_people"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/drinks/", evening_cash.evening_drinks, name="evening_drinks"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/fines/", evening_cash.evening_fine, name="evening_fine"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/fines/discard/", evening_cash.evening_fines_discard, name="evening_fines_discard"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/fines/<uuid:key>/", evening_cash.evening_fine_strike, name="evening_fine_strike"),
    path(
        "c/<slug:slug>/evenings/<int:pk>/cash/fines/<uuid:key>/late/",
        evening_cash.evening_fine_accept,
        name="evening_fine_accept",
    ),
    path("c/<slug:slug>/evenings/<int:pk>/cash/tariff/", evening_cash.evening_tariff, name="evening_tariff"),
    path("c/<slug:slug>/evenings/<int:pk>/cash/collect/", evening_cash.evening_collect, name="evening_collect"),
    path("c/<slug:slug>/cash/tariff/", tariffs.tariff, name="tariff"),
    path("c/<slug:slug>/cash/tariff/questions/", tariffs.tariff_questions, name="tariff_questions"),
    path("c/<slug:slug>/cash/tariff/edit/", tariffs.tariff_edit, name="tariff_edit"),
    path("c/<slug:slug>/evenings/<int:pk>/result/", evenings.result, name="result"),
    path("c/<slug:slug>/evenings/<int:pk>/result/text/", evenings.result_text, name="result_text"),
    path("c/<slug:slug>/evenings/<int:pk>/result/picture/", evenings.result_picture, name="result_picture"),
    path("c/<slug:slug>/evenings/<int:pk>/paper/", evenings.paper, name="paper"),
    path("c/<slug:slug>/evenings/<int:pk>/discard/", evenings.evening_discard, name="evening_discard"),
    path("c/<slug:slug>/tables/<int:pk>/", games.table, name="table"),
    path("c/<slug:slug>/tables/<int:pk>/seats/", seats.seats, name="seats"),
    path("c/<slug:slug>/tables/<int:pk>/cash/", at_table.table_cash, name="table_cash"),
    path("c/<slug:slug>/tables/<int:pk>/seats/guest/", seats.guest, name="guest"),
    path("c/<slug:slug>/tables/<int:pk>/planned/", seats.planned, name="planned"),
    path("c/<slug:slug>/tables/<int:pk>/carry/", seats.table_carry, name="table_carry"),
    path("c/<slug:slug>/tables/<int:pk>/games/", games.games, name="games"),
    path("c/<slug:slug>/tables/<int:pk>/games/<uuid:key>/", games.game, name="game"),
    path("c/<slug:slug>/tables/<int:pk>/games/<uuid:key>/delete/", games.game_delete, name="game_delete"),
    path("c/<slug:slug>/tables/<int:pk>/games/<uuid:key>/insert/", games.game_insert, {"behind": False}, name="game_insert"),
    path(
        "c/<slug:slug>/tables/<int:pk>/games/<uuid:key>/insert-behind/",
        games.game_insert,
        {"behind": True},
        name="game_insert_behind",
    ),
    path("c/<slug:slug>/tables/<int:pk>/games/<uuid:key>/up/", games.game_move, {"up": True}, name="game_up"),
    path("c/<slug:slug>/tables/<int:pk>/games/<uuid:key>/down/", games.game_move, {"up": False}, name="game_down"),
    path("c/<slug:slug>/tables/<int:pk>/late/discard/", late.late_discard_all, name="late_discard_all"),
    path("c/<slug:slug>/tables/<int:pk>/late/<uuid:key>/enter/", late.late_enter, name="late_enter"),
    path("c/<slug:slug>/tables/<int:pk>/late/<uuid:key>/discard/", late.late_discard, name="late_discard"),
    path("c/<slug:slug>/tables/<int:pk>/undo/", games.game_undo, name="undo"),
    path("c/<slug:slug>/tables/<int:pk>/state/", live.state, name="state"),
    path("c/<slug:slug>/tables/<int:pk>/state/live/", live.live, name="live"),
    path("c/<slug:slug>/tables/<int:pk>/link/", links.table_link, name="table_link"),
    path("t/", links.link_speaker, name="link_speaker"),
    path("t/<str:token>/", links.link_preview, name="link_preview"),
    path("t/<str:token>/open/", links.link_open, name="link_open"),
    path("c/<slug:slug>/list/", standings.standings, name="standings"),
    path("c/<slug:slug>/list/excel/", standings.standings_excel, name="standings_excel"),
    path("c/<slug:slug>/list/evenings/", standings.by_evening, name="by_evening"),
    path("c/<slug:slug>/list/evenings/excel/", standings.by_evening_file, {"as_csv": False}, name="by_evening_excel"),
    path("c/<slug:slug>/list/evenings/csv/", standings.by_evening_file, {"as_csv": True}, name="by_evening_csv"),
    path("c/<slug:slug>/league/", league.league, name="league"),
    path("c/<slug:slug>/league/new/", league.season_new, name="season_new"),
    path("c/<slug:slug>/seasons/<int:pk>/", league.season, name="season"),
    path("c/<slug:slug>/seasons/<int:pk>/edit/", league.season_edit, name="season_edit"),
    path("c/<slug:slug>/seasons/<int:pk>/picture/", league.season_picture, name="season_picture"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/", league.month, name="month"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/picture/", league.month_picture, name="month_picture"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/excel/", league.month_excel, name="month_excel"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/close/", league.month_close, name="month_close"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/supplement/", league.month_supplement, name="month_supplement"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/<int:version>/", league.month_version, name="month_version"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/<int:version>/excel/", league.version_excel, name="version_excel"),
    path("c/<slug:slug>/seasons/<int:pk>/<month:month>/<int:version>/data/", league.version_data, name="version_data"),
    path("c/<slug:slug>/evenings/<int:pk>/excel/", evenings.evening_excel, name="evening_excel"),
    path("c/<slug:slug>/file/", exports.club_file, name="club_file"),
    path("c/<slug:slug>/file/excel/", exports.club_excel, name="club_excel"),
    path("c/<slug:slug>/file/csv/", exports.club_csv, name="club_csv"),
    path("c/<slug:slug>/file/csv/<slug:name>/", exports.export_csv, name="export_csv"),
    path("c/<slug:slug>/cash/", cash.cash, name="cash"),
    path("c/<slug:slug>/cash/headings/", cash.headings, name="cash_headings"),
    path("c/<slug:slug>/cash/paid/", ledger.report, name="cash_report"),
    path("c/<slug:slug>/cash/paid/<uuid:key>/withdraw/", ledger.report_withdraw, name="cash_report_withdraw"),
    path("c/<slug:slug>/cash/paid/<uuid:key>/confirm/", ledger.report_confirm, name="cash_report_confirm"),
    path("c/<slug:slug>/cash/paid/<uuid:key>/refuse/", ledger.report_refuse, name="cash_report_refuse"),
    path("c/<slug:slug>/cash/people/<int:pk>/", ledger.statement, name="cash_statement"),
    path("c/<slug:slug>/cash/people/<int:pk>/excel/", ledger.statement_file, {"as_csv": False}, name="cash_statement_excel"),
    path("c/<slug:slug>/cash/people/<int:pk>/csv/", ledger.statement_file, {"as_csv": True}, name="cash_statement_csv"),
    path("c/<slug:slug>/cash/people/<int:pk>/left/", dues.leaver, name="cash_left"),
    path("c/<slug:slug>/cash/dues/", dues.dues, name="cash_dues"),
    path("c/<slug:slug>/cash/dues/<month:month>/", dues.dues_month, name="cash_dues_month"),
    path("c/<slug:slug>/cash/settle/", settling.settle, name="cash_settle"),
    path("c/<slug:slug>/cash/settle/<uuid:key>/", settling.settlement, name="cash_settlement"),
    path("c/<slug:slug>/cash/settle/<uuid:key>/<int:place>/", settling.settlement_tick, name="cash_settlement_tick"),
    path("c/<slug:slug>/cash/count/", ledger.count, name="cash_count"),
    path("c/<slug:slug>/cash/opening/", ledger.opening, name="cash_opening"),
    path("c/<slug:slug>/cash/old/", imports.old_kasse, name="cash_old"),
    path("c/<slug:slug>/cash/old/template/", imports.kasse_template, name="kasse_template"),
    path("c/<slug:slug>/cash/old/<int:pk>/", imports.old_kasse_file, name="cash_old_file"),
    path("c/<slug:slug>/cash/old/<int:pk>/discard/", imports.old_kasse_discard, name="cash_old_discard"),
    path("c/<slug:slug>/cash/old/<int:pk>/undo/", imports.old_kasse_undo, name="cash_old_undo"),
    path("c/<slug:slug>/cash/months/", cash_months.months, name="cash_months"),
    path("c/<slug:slug>/cash/months/close/", cash_months.months_close, name="cash_months_close"),
    path("c/<slug:slug>/cash/months/<month:month>/", cash_months.month, name="cash_month"),
    path("c/<slug:slug>/cash/months/<month:month>/excel/", cash_months.month_file, {"as_csv": False}, name="cash_month_excel"),
    path("c/<slug:slug>/cash/months/<month:month>/csv/", cash_months.month_file, {"as_csv": True}, name="cash_month_csv"),
    path("c/<slug:slug>/cash/months/<month:month>/close/", cash_months.month_close, name="cash_month_close"),
    path("c/<slug:slug>/cash/months/<month:month>/statement/", cash_months.month_statement, name="cash_month_statement"),
    path("c/<slug:slug>/cash/months/<month:month>/sign/", cash_months.month_sign, name="cash_month_sign"),
    path("c/<slug:slug>/cash/years/<int:year>/", cash_months.year, name="cash_year"),
    path("c/<slug:slug>/cash/years/<int:year>/excel/", cash_months.year_file, {"as_csv": False}, name="cash_year_excel"),
    path("c/<slug:slug>/cash/years/<int:year>/csv/", cash_months.year_file, {"as_csv": True}, name="cash_year_csv"),
    path("c/<slug:slug>/cash/entries/", ledger.entries, name="cash_entries"),
    path("c/<slug:slug>/cash/entries/excel/", ledger.entries_file, {"as_csv": False}, name="cash_entries_excel"),
    path("c/<slug:slug>/cash/entries/csv/", ledger.entries_file, {"as_csv": True}, name="cash_entries_csv"),
    path("c/<slug:slug>/cash/entries/new/", ledger.entry_kinds, name="cash_kinds"),
    path("c/<slug:slug>/cash/entries/new/<slug:kind>/", ledger.entry_new, name="cash_entry_new"),
    path("c/<slug:slug>/cash/entries/<int:pk>/", ledger.entry, name="cash_entry"),
    path("c/<slug:slug>/cash/entries/<int:pk>/reverse/", ledger.entry_reverse, name="cash_entry_reverse"),
    path("c/<slug:slug>/shown/", site.visibility, name="visibility"),
    path("c/<slug:slug>/people/<int:pk>/initial/", site.player_initial, name="player_initial"),
    path("c/<slug:slug>/delete/", administration.club_delete, name="club_delete"),
    path("installation/", administration.installation, name="installation"),
    path("demo/", demo.visit, name="demo-visit"),
    path("found/", administration.founding, name="founding"),
    path("found/<str:secret>/", administration.founding_link, name="founding_link"),
    path("found/<str:secret>/open/", administration.founding_open, name="founding_open"),
    path("robots.txt", site.robots, name="robots"),
    path("c/<slug:slug>/more/", site.more, name="more"),
    path("c/<slug:slug>/people/", club.players, name="players"),
    path("c/<slug:slug>/people/new/", club.player_new, name="player_new"),
    path("c/<slug:slug>/people/<int:pk>/", players.player, name="player"),
    path("c/<slug:slug>/people/<int:pk>/beside/", players.compare, name="compare"),
    path("c/<slug:slug>/people/<int:pk>/merge/", players.merge, name="merge"),
    path("c/<slug:slug>/people/<int:pk>/data/", administration.player_data, name="player_data"),
    path("c/<slug:slug>/people/<int:pk>/erase/", administration.player_erase, name="player_erase"),
    path("c/<slug:slug>/people/<int:pk>/part/", players.unmerge, name="unmerge"),
    path("c/<slug:slug>/list/records/", standings.records, name="records"),
    path("c/<slug:slug>/list/matrix/", players.matrix, name="matrix"),
    path("c/<slug:slug>/list/what-if/", whatif.whatif, name="whatif"),
    path("c/<slug:slug>/people/<int:pk>/edit/", club.player_edit, name="player_edit"),
    path("c/<slug:slug>/rights/", club.members, name="members"),
    path("c/<slug:slug>/rights/new/", club.member_new, name="member_new"),
    path("c/<slug:slug>/invitations/<int:pk>/", club.invitation, name="invitation"),
    path("c/<slug:slug>/invitations/<int:pk>/withdraw/", club.invitation_withdraw, name="invitation_withdraw"),
    path("c/<slug:slug>/rights/links/", accounts.join_links, name="join_links"),
    path("c/<slug:slug>/rights/links/<int:pk>/end/", accounts.join_link_end, name="join_link_end"),
    path("j/", accounts.join_page, name="join"),
    path("j/<str:token>/", accounts.join_preview, name="join_preview"),
    path("j/<str:token>/open/", accounts.join_open, name="join_open"),
    path("c/<slug:slug>/rights/<int:pk>/", club.member, name="member"),
    path("c/<slug:slug>/rights/<int:pk>/password/", accounts.member_password, name="member_password"),
    path("c/<slug:slug>/rights/<int:pk>/remove/", club.member_remove, name="member_remove"),
    path("c/<slug:slug>/rules/", rules.rule_sets, name="rule_sets"),
    path("c/<slug:slug>/rules/new/", rules.rule_set_new, name="rule_set_new"),
    path("c/<slug:slug>/rules/recipes/", rules.rule_recipes, name="rule_recipes"),
    path("c/<slug:slug>/rules/questions/", rules.rule_set_questions, name="rule_set_questions"),
    path("c/<slug:slug>/rules/<int:pk>/", rules.rule_set, name="rule_set"),
    path("c/<slug:slug>/rules/<int:pk>/edit/", rules.rule_set_edit, name="rule_set_edit"),
    path("c/<slug:slug>/rules/<int:pk>/preview/", whatif.rule_set_preview, name="rule_set_preview"),
    path("c/<slug:slug>/rules/<int:pk>/name/", rules.rule_set_name, name="rule_set_name"),
    path("c/<slug:slug>/rules/<int:pk>/redeal/", rules.rule_set_same_dealer, name="rule_set_same_dealer"),
    path("c/<slug:slug>/tables/<int:pk>/rules/", whatif.table_rules, name="table_rules"),
    path("c/<slug:slug>/imports/", imports.imports, name="imports"),
    path("c/<slug:slug>/imports/opening/", imports.opening_standing, name="opening_standing"),
    path("c/<slug:slug>/imports/template/", imports.list_template, name="list_template"),
    path("c/<slug:slug>/imports/<int:pk>/", imports.import_page, name="import"),
    path("c/<slug:slug>/imports/<int:pk>/discard/", imports.import_discard, name="import_discard"),
    path("c/<slug:slug>/evenings/<int:pk>/mend/", imports.evening_correction, name="evening_correction"),
    path("c/<slug:slug>/imports/<int:pk>/undo/", imports.import_undo, name="import_undo"),
    path("c/<slug:slug>/archive/", archives.archive, name="archive"),
    path("c/<slug:slug>/archive/taken/", archives.archive_imported, name="archive_imported"),
    path("c/<slug:slug>/archive/undo/", archives.archive_undo, name="archive_undo"),
    path("archives/", archives.archive_upload, name="archive_upload"),
    path("archives/waiting/", archives.archive_preview, name="archive_preview"),
    path("archives/discard/", archives.archive_discard, name="archive_discard"),
    path("c/<slug:slug>/history/", administration.history, name="history"),
    path("c/<slug:slug>/history/kept/", administration.history_retention, name="history_retention"),
    path("c/<slug:slug>/privacy/", administration.privacy, name="privacy"),
    path("login/", accounts.login, name="login"),
    path("logout/", accounts.logout, name="logout"),
    path("devices/", accounts.devices, name="devices"),
    path("login/delete/", accounts.login_delete, name="login_delete"),
    path("password/", accounts.password_change, name="password_change"),
    path("password/forgotten/", accounts.password_reset, name="password_reset"),
    path("password/new/<str:uidb64>/<str:token>/", accounts.password_reset_confirm, name="password_reset_confirm"),
    path("login/mail/", accounts.mail_address, name="mail_address"),
    path("password/done/", accounts.password_change_done, name="password_change_done"),
    path("sw.js", site.worker, name="worker"),
    path("manifest.webmanifest", site.manifest, name="manifest"),
    path("offline/", site.offline, name="offline"),
    path("help/", site.guide, name="guide"),
    path("language/", set_language, name="set_language"),
]
if settings.ADMIN:
    from scoring.admin import site as admin_site

    urlpatterns.append(path("admin/", admin_site.urls))
