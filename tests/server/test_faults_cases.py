"""Cases that broke matches on ladders elsewhere, each with the tests that hold it here."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from named_tests import Suite, suite_of

CASES: Mapping[str, tuple[str, ...]] = {
    "the stream is cut in the middle of the own thinking: the full match comes first, then the turn again": (
        "server/test_play_reconnect.py::test_a_stream_that_is_cut_while_its_bot_thinks_goes_on",
        "sdk/test_client_resume.py::test_a_broken_stream_is_resumed_with_the_same_session",
        "sdk/test_client_resume.py::test_an_answer_that_comes_while_the_server_is_away_is_sent_later",
    ),
    "an action is applied and its acknowledgement lost: the same again is one action": (
        "server/test_play_reconnect.py::test_a_lost_acknowledgement_is_given_again",
        "server/test_play_refusals.py::test_the_same_answer_twice_is_one_action_and_acknowledged_twice",
        "server/test_play_refusals.py::test_a_resend_is_acknowledged_even_if_the_logs_word_of_it_is_lost",
        "server/test_store_matches.py::test_an_old_answer_is_told_the_same_however_long_ago_it_was",
        "sdk/test_client_resume.py::test_an_unacknowledged_answer_is_sent_again_and_is_the_same",
        "sdk/test_client_resume.py::test_an_answer_that_was_committed_is_not_sent_again",
    ),
    "a late answer to the ply before": (
        "server/test_play_refusals.py::test_an_old_ply_is_stale_and_brings_the_open_turn",
        "server/test_store_matches.py::test_another_answer_to_an_old_ply_is_stale",
        "sdk/test_client_refusals.py::test_after_stale_the_attached_turn_is_played",
    ),
    "a late answer to the match before": (
        "server/test_cases_play.py"
        "::test_an_answer_that_was_meant_for_the_match_before_changes_nothing_in_the_next",
        "server/test_play_refusals.py::test_an_act_after_the_end_is_over",
    ),
    "an empty, zero, unknown or illegal action": (
        "server/test_play_refusals.py::test_an_illegal_answer_costs_a_strike_and_brings_the_turn_again",
        "server/test_play_refusals.py::test_an_empty_action_is_a_strike_where_action_zero_would_be_legal",
        "server/test_play_stream_parts.py::test_what_is_no_action_is_none",
    ),
    "a clock runs out and nobody pokes the server": (
        "server/test_play_away.py::test_a_flag_that_falls_ends_the_match_for_both",
        "server/test_clock_absence.py::test_both_bots_that_never_come_are_both_to_blame",
    ),
    "a bot thinks for 20 s inside its clock while its heartbeat goes on": (
        "server/test_cases_processes.py"
        "::test_a_bot_that_thinks_for_20_seconds_inside_its_clock_is_charged_and_nothing_else",
        "server/test_play_away.py::test_on_its_own_turn_the_clock_judges_a_silent_bot",
    ),
    "twelve live games and the bot process is killed and restarted: all come back, none above capacity": (
        "server/test_cases_processes.py"
        "::test_twelve_matches_of_a_bot_process_that_was_killed_come_back_and_none_more",
        "server/test_faults_sessions.py::test_one_hello_resumes_all_running_matches_with_their_open_turns",
    ),
    "the start of a match is delivered twice": (
        "sdk/test_client_resume.py::test_a_match_that_starts_twice_has_one_bot_that_is_asked_once",
        "sdk/test_client_ends.py::test_a_match_that_is_over_is_not_joined_again",
    ),
    "a bot reconnects while its first instance still thinks": (
        "server/test_cases_play.py::test_a_second_instance_gets_the_turn_at_which_the_first_still_thinks",
        "sdk/test_client_resume.py::test_a_bot_that_thinks_during_a_reconnect_is_not_asked_again",
    ),
    "the opponent crashes: the other reads its win and the cause before its stream closes": (
        "server/test_faults_streams.py"
        "::test_the_opponent_of_a_bot_that_failed_hears_of_it_on_a_stream_that_stays",
        "server/test_play_reconnect.py::test_an_end_that_was_missed_is_told_once",
    ),
    "both fail at once": (
        "server/test_cases_play.py::test_two_bots_that_fail_at_once_leave_one_verdict_that_both_are_told",
        "server/test_clock_absence.py"
        "::test_while_both_are_away_the_verdict_waits_for_the_other_budget_then_it_is_both",
        "server/test_clock_absence.py::test_two_budgets_that_end_are_no_contest",
    ),
    "the engine raises inside apply: no contest, both are told, the record is kept, the pair is void": (
        "server/test_play_failures.py::test_an_exception_of_the_engine_ends_that_match_and_both_are_told",
        "server/test_play_failures.py::test_the_log_of_a_match_in_which_the_server_failed_is_kept",
        "server/test_faults_pairs.py::test_a_no_contest_voids_the_pair_and_the_other_game_never_starts",
    ),
    "the state is loaded from the log at every ply: the same mover, the same legal list": (
        "server/test_cases_play.py::test_the_log_gives_the_same_mover_and_the_same_legal_list_at_every_ply",
    ),
    "two servers race to adjudicate": (
        "chaos/test_chaos_replicas.py"
        "::test_servers_that_race_for_a_deadline_with_late_answers_give_one_verdict_and_tell_both",
        "server/test_clock_rules.py::test_two_tickers_give_exactly_one_verdict",
        "server/test_clock_rules.py::test_a_tick_and_an_answer_at_the_same_instant_leave_one_verdict",
        "server/test_faults_streams.py::test_an_answer_and_the_end_of_the_clock_leave_one_outcome_for_both",
    ),
    "a result that matters for the rating is delivered twice": (
        "server/test_ladder_results.py"
        "::test_a_game_counts_once_however_often_and_in_whatever_order_it_is_reported",
        "server/test_ladder_filing.py::test_filing_twice_is_filing_once",
        "server/test_lobby_crashes.py::test_a_crash_while_game_1_is_filed_still_leads_to_game_2_once",
    ),
    "a bot that answers long chains one link at a time gains at most 100 ms an own turn": (
        "server/test_clock_rules.py::test_lag_is_at_most_50_ms_an_answer_and_100_ms_an_own_turn",
    ),
    "a bot that opens its flow-control window late gains nothing": (
        "server/test_cases_play.py::test_who_opens_its_window_late_is_charged_for_it",
        "server/test_clock_rules.py::test_the_server_gives_at_most_1800_ms_together",
    ),
    "a chain that had stopped early is sent again: the same answer, and its tail is never applied": (
        "server/test_store_matches.py"
        "::test_a_chain_that_was_stopped_early_is_told_the_same_and_its_tail_is_never_applied",
    ),
    "a connected bot that overruns its clock against an absent one loses on time": (
        "server/test_clock_absence.py"
        "::test_a_connected_seat_whose_clock_ends_has_lost_though_the_other_is_away",
    ),
    "a replica stands still for 5 s while others live: its bots are credited": (
        "chaos/test_chaos_replicas.py"
        "::test_nobody_is_charged_while_a_server_stands_still_beside_another_or_redis_does",
        "server/test_clock_replicas.py"
        "::test_a_replica_that_comes_back_finds_its_seats_credited_for_its_silence",
        "server/test_clock_replicas.py"
        "::test_what_breaks_soon_after_a_gap_in_the_own_ticks_counts_as_the_servers_doing",
    ),
}


@pytest.mark.parametrize(("case", "test"), [(case, test) for case in CASES for test in CASES[case]])
def test_the_tests_that_hold_a_case_run(case: str, test: str) -> None:
    assert suite_of(test) is not Suite.NONE, f"{case!r} is held by no test {test} that runs"


@pytest.mark.parametrize("case", CASES)
def test_each_case_is_held_by_a_test_of_every_day(case: str) -> None:
    suites = {test: suite_of(test) for test in CASES[case]}
    assert Suite.QUICK in suites.values(), suites
