"""The table of faults and its tests: each row and each rule of `server/FAULTS.md` names those that hold it.

What pauses a bot, and how a new one is admitted to the ladder, are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from named_tests import Suite, suite_of

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "server" / "FAULTS.md"
COUNTS = "server/test_faults_pairs.py::test_a_loss_by_a_bots_own_doing_counts_towards_its_pair"
VOID = "server/test_faults_pairs.py::test_a_no_contest_voids_the_pair_and_the_other_game_never_starts"

ROWS: Mapping[str, tuple[str, ...]] = {
    "the game is played to its end": (
        "server/test_play_match.py::test_a_game_is_played_to_its_end_and_both_are_told_the_same",
        "server/test_faults_pairs.py::test_a_game_that_was_played_to_its_end_counts_towards_its_pair",
        "server/test_play_lookup.py::test_a_match_that_is_over_shows_how_and_its_secrets",
    ),
    "a bot resigns": (
        "server/test_play_conduct.py::test_a_resignation_ends_the_match_for_both",
        "server/test_play_evidence.py::test_the_evidence_is_the_same_before_and_after_filing",
        COUNTS,
    ),
    "a clock runs out, whether or not its bot is connected": (
        "server/test_play_away.py::test_a_flag_that_falls_ends_the_match_for_both",
        "server/test_play_away.py::test_an_answer_after_the_flag_fell_loses_on_time",
        "server/test_clock_absence.py::test_the_clock_of_a_seat_that_is_away_runs",
        "server/test_play_evidence.py::test_a_late_answer_shows_what_it_took_and_what_the_server_took",
        "server/test_play_evidence.py::test_a_flag_that_fell_shows_how_both_seats_stood",
        COUNTS,
    ),
    "the third illegal action of a seat in one match": (
        "server/test_play_refusals.py::test_an_illegal_answer_costs_a_strike_and_brings_the_turn_again",
        "server/test_play_refusals.py::test_the_third_strike_loses_and_both_are_told",
        "server/test_store_matches.py::test_strikes_of_one_seat_are_none_of_the_other",
        "server/test_faults_streams.py::test_everything_about_a_fault_is_told_to_both_alike",
        "server/test_play_evidence.py::test_a_strike_is_told_with_what_was_received",
        COUNTS,
    ),
    "a bot reports that its own code failed": (
        "server/test_play_conduct.py::test_a_bots_error_is_for_its_owner_only",
        "server/test_play_conduct.py::test_a_bots_error_is_cut_at_four_kilobytes",
        "server/test_play_evidence.py::test_the_text_of_a_bots_error_is_for_its_owner_only",
        "server/test_ladder_filing.py::test_words_of_a_failed_bot_are_not_in_its_record",
        COUNTS,
    ),
    "a bot is away for longer than its disconnect budget": (
        "server/test_clock_absence.py::test_a_seat_that_is_away_for_longer_than_its_budget_has_lost",
        "server/test_clock_absence.py::test_coming_back_does_not_refill_the_budget",
        "server/test_play_evidence.py::test_a_used_up_budget_shows_since_when_the_seat_was_gone",
        COUNTS,
    ),
    "both are away when a clock or budget ends, and the other budget ends too": (
        "server/test_clock_absence.py"
        "::test_while_both_are_away_the_verdict_waits_for_the_other_budget_then_it_is_both",
        "server/test_clock_absence.py::test_two_budgets_that_end_are_no_contest",
        "server/test_clock_absence.py::test_both_bots_that_never_come_are_both_to_blame",
        VOID,
    ),
    "an offer is declined, or not taken in time": (
        "server/test_play_conduct.py::test_a_declined_offer_lapses_and_shows_its_secrets",
        "server/test_lobby_offers.py::test_who_is_not_ready_in_time_is_at_fault",
        "server/test_lobby_offers.py::test_declining_twice_is_one_fault_and_one_publication",
        "server/test_faults_streams.py"
        "::test_the_bot_that_was_ready_is_paired_again_at_once_when_the_other_was_not",
    ),
    "an administrator aborts the match": (
        "server/test_admin_service.py::test_an_aborted_match_is_no_contest_for_both_and_voids_its_pair",
        "server/test_admin_service.py::test_the_second_game_aborted_voids_the_first_too",
        VOID,
    ),
    "the server fails inside the match": (
        "server/test_play_failures.py::test_an_exception_of_the_engine_ends_that_match_and_both_are_told",
        "server/test_play_failures.py::test_the_log_of_a_match_in_which_the_server_failed_is_kept",
        "server/test_play_failures.py::test_a_log_that_does_not_replay_ends_its_match",
        "server/test_ladder_filing.py"
        "::test_a_log_that_does_not_replay_is_the_servers_fault_and_voids_the_pair",
        "deploy/test_deploy_prometheus.py::test_each_alert_fires_and_is_silent_as_its_tests_say",
        VOID,
    ),
}

RULES: Mapping[str, tuple[str, ...]] = {
    "Both away": (
        "server/test_clock_absence.py::test_the_opponent_that_is_back_for_two_seconds_wins",
        "server/test_clock_absence.py::test_the_first_to_be_noticed_is_not_the_loser_if_it_is_back_first",
        "server/test_clock_absence.py::test_being_back_for_a_moment_only_decides_nothing",
        "server/test_clock_absence.py::test_if_both_are_back_the_one_whose_time_ended_has_lost",
        "server/test_clock_absence.py"
        "::test_a_connected_seat_whose_clock_ends_has_lost_though_the_other_is_away",
        "server/test_clock_absence.py::test_no_answer_counts_while_the_verdict_waits",
    ),
    "No way out": (
        "server/test_clock_absence.py::test_who_comes_to_a_match_to_which_the_other_never_came_wins",
        "server/test_clock_absence.py"
        "::test_seats_of_a_replica_that_died_for_good_lose_when_their_time_is_over",
        "server/test_lobby_offers.py::test_a_match_that_both_took_cannot_be_declined",
        "server/test_play_unseated.py"
        "::test_a_bot_that_leaves_before_it_sits_down_loses_by_its_budget_like_any_other",
        "server/test_play_unseated.py"
        "::test_a_bot_that_leaves_after_its_ready_is_away_on_its_own_account_from_the_start",
        "server/test_play_unseated.py"
        "::test_a_bot_whose_server_is_killed_between_its_ready_and_its_match_is_credited",
    ),
    "One strike": (
        "server/test_store_matches.py::test_a_strike_is_counted_once_per_seat_ply_and_list_of_actions",
        "server/test_play_refusals.py::test_the_same_illegal_answer_again_is_no_second_strike",
        "server/test_store_matches.py::test_the_third_strike_loses_and_its_resend_is_told_so",
    ),
    "Told first": (
        "server/test_faults_streams.py"
        "::test_the_opponent_of_a_bot_that_failed_hears_of_it_on_a_stream_that_stays",
        "server/test_play_replicas.py::test_a_resignation_is_heard_on_the_other_replica",
    ),
    "Not your time": (
        "server/test_clock_replicas.py"
        "::test_seats_of_a_replica_that_stopped_are_credited_until_the_next_hello",
        "server/test_clock_outages.py"
        "::test_a_gap_over_two_seconds_between_beats_is_subtracted_from_the_clock",
        "server/test_clock_outages.py::test_an_outage_is_subtracted_from_budgets",
        "server/test_play_away.py::test_a_match_goes_on_after_the_server_was_started_anew",
        "server/test_play_evidence.py::test_a_stop_of_the_server_uses_up_no_budget_and_says_so",
    ),
    "Time in the server": (
        "server/test_clock_rules.py::test_time_in_the_server_before_and_after_the_answer_is_not_charged",
        "server/test_faults_streams.py"
        "::test_time_that_an_answer_waits_in_the_server_is_not_charged_and_is_measured",
    ),
    "Same instant": (
        "server/test_clock_rules.py::test_an_answer_at_the_very_end_of_the_clock_counts",
        "server/test_clock_rules.py::test_a_tick_and_an_answer_at_the_same_instant_leave_one_verdict",
        "server/test_faults_streams.py::test_an_answer_and_the_end_of_the_clock_leave_one_outcome_for_both",
    ),
    "Late answers": (
        "server/test_play_refusals.py::test_an_old_ply_is_stale_and_brings_the_open_turn",
        "server/test_play_refusals.py::test_the_same_answer_twice_is_one_action_and_acknowledged_twice",
    ),
    "Out of turn": (
        "server/test_play_refusals.py::test_a_move_out_of_turn_changes_nothing",
        "server/test_play_refusals.py::test_an_act_for_others_match_tells_nothing_of_it",
        "server/test_play_refusals.py::test_an_act_after_the_end_is_over",
        "server/test_store_matches.py::test_the_seat_that_is_not_to_move_is_refused_without_a_strike",
    ),
    "One session": (
        "server/test_play_reconnect.py::test_a_newer_session_replaces_the_older",
        "server/test_play_reconnect.py::test_a_second_takeover_within_a_minute_must_wait",
        "server/test_play_reconnect.py::test_the_same_session_comes_back_as_often_as_it_likes",
        "server/test_play_reconnect.py::test_a_replaced_session_leaves_the_seat_to_the_newer",
        "server/test_lobby_presence.py::test_taking_over_from_a_quiet_stream_is_no_takeover",
        "server/test_lobby_presence.py::test_bots_of_a_dead_replica_are_gone_and_free_for_the_next",
        "sdk/test_client_ends.py::test_a_replaced_client_stops_and_does_not_come_back",
        "sdk/test_client_process.py::test_the_command_ends_with_75_when_replaced",
        "sdk/test_client_connection.py::test_a_takeover_that_comes_too_early_is_tried_again",
    ),
    "Slow readers": (
        "server/test_play_stream_parts.py::test_a_full_queue_ends_the_stream_with_words",
        "server/test_play_away.py::test_who_does_not_read_is_cut_off_and_nobody_else",
        "server/test_faults_streams.py"
        "::test_a_bot_that_is_cut_off_for_not_reading_comes_back_and_its_opponent_notices_nothing",
    ),
    "Limits": (
        "server/test_faults_streams.py::test_rate_limits_never_refuse_a_legal_action_of_a_running_match",
    ),
    "Retired and banned": (
        "server/test_faults_streams.py"
        "::test_a_retired_bot_plays_what_runs_to_its_end_the_second_game_included",
        "server/test_admin_service.py"
        "::test_a_banned_bot_resigns_both_games_and_its_stream_ends_with_the_reason",
    ),
}

SESSIONS: Mapping[str, tuple[str, ...]] = {
    "a newer session replaces the older": (
        "server/test_play_reconnect.py::test_a_newer_session_replaces_the_older",
    ),
    "two supervised copies do not take the bot from each other in turns": (
        "server/test_faults_connections.py"
        "::test_two_supervised_copies_of_a_bot_do_not_take_it_from_each_other_in_turns",
        "server/test_lobby_presence.py::test_a_session_that_was_taken_over_does_not_come_back",
        "sdk/test_client_ends.py::test_a_replaced_client_stops_and_does_not_come_back",
    ),
    "Ping and Pong go both ways": (
        "server/test_play_away.py::test_both_sides_may_ask_for_a_sign_of_life",
        "sdk/test_client_ends.py::test_a_pong_answers_each_ping",
    ),
    "half-open connections are noticed by both sides": (
        "server/test_faults_sessions.py::test_a_bot_that_vanishes_without_a_word_is_noticed_by_the_server",
        "server/test_faults_sessions.py::test_a_bot_notices_that_its_server_vanished_and_comes_back",
        "server/test_faults_sessions.py::test_a_stopped_bot_process_is_gone_and_is_back_when_it_goes_on",
        "sdk/test_client_resume.py::test_a_silent_server_is_left_after_two_heartbeats",
    ),
    "a bot on its own turn is left to its clock": (
        "server/test_play_away.py::test_on_its_own_turn_the_clock_judges_a_silent_bot",
        "server/test_faults_connections.py"
        "::test_a_connection_that_is_half_open_on_the_own_turn_is_left_to_clock_and_bot",
    ),
    "idle streams are not answered with GOAWAY": (
        "server/test_faults_sessions.py::test_keepalive_pings_of_an_idle_client_are_not_answered_with_goaway",
        "server/test_faults_sessions.py::test_pings_far_more_often_than_is_allowed_are",
        "server/test_faults_connections.py::test_a_stream_on_which_nothing_is_said_is_not_idle",
    ),
    "one Hello resumes all running matches": (
        "server/test_faults_sessions.py::test_one_hello_resumes_all_running_matches_with_their_open_turns",
    ),
    "outgoing queues are bounded": (
        "server/test_play_stream_parts.py::test_a_full_queue_ends_the_stream_with_words",
        "server/test_play_away.py::test_who_does_not_read_is_cut_off_and_nobody_else",
        "server/test_play_watching.py::test_a_spectator_that_does_not_read_is_cut_off_and_nobody_else",
    ),
    "a drain tells everybody, and matches go on elsewhere": (
        "server/test_play_away.py::test_a_stop_tells_everybody_and_lets_nobody_in",
        "server/test_admin_service.py"
        "::test_a_drained_replica_sends_its_streams_to_the_other_and_the_match_goes_on",
    ),
    "a thousand idle bots cost little": (
        "server/test_faults_idle.py::test_a_thousand_idle_bots_cost_little_and_disturb_no_match",
    ),
    "streams that come and go leave no memory behind": (
        "server/test_faults_sessions.py::test_memory_stays_flat_over_many_opened_and_cancelled_streams",
    ),
}


def promised_rows() -> Iterator[str]:
    """Situations of the document's table."""
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    for line in lines[2:]:
        yield line.split("|")[1].strip()


def promised_rules() -> list[str]:
    """Names of the rules under it."""
    return re.findall(r"^- \*\*(.+?)\*\*", DOCUMENT.read_text(), re.MULTILINE)


def test_every_row_of_the_table_names_its_tests() -> None:
    assert list(promised_rows()) == list(ROWS)


def test_every_rule_under_the_table_names_its_tests() -> None:
    assert promised_rules() == list(RULES)


@pytest.mark.parametrize(
    ("promise", "test"),
    [
        (promise, test)
        for table in (ROWS, RULES, SESSIONS)
        for promise, tests in table.items()
        for test in tests
    ],
)
def test_the_tests_that_are_named_run(promise: str, test: str) -> None:
    assert suite_of(test) is not Suite.NONE, f"{promise!r} is held by no test {test} that runs"


@pytest.mark.parametrize("tests", [*ROWS.values(), *RULES.values()])
def test_each_row_and_rule_is_held_by_a_test_of_every_day(tests: tuple[str, ...]) -> None:
    suites = {test: suite_of(test) for test in tests}
    assert Suite.QUICK in suites.values(), suites
