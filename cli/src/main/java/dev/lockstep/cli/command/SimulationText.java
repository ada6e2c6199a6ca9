// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.MakespanRange;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.NetworkShares;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a simulation found, for people and programs. */
final class SimulationText {
    private static final int ROWS = 64;

    private static final String OTHER_ORDER =
            "what comes earlier takes its place in the queues of processors and cards before what others wait for";

    private SimulationText() {}

    static void ranks(
            PrintWriter out, List<RecordedSpan> recorded, SimulatedTimes times, @Nullable SimulatedTimes other) {
        out.println(
                String.format(Locale.ROOT, "%6s %18s %18s %18s %7s", "rank", "finish ns", "busy ns", "idle ns", "idle")
                        + (recorded.isEmpty()
                                ? ""
                                : String.format(Locale.ROOT, " %18s %18s", "recorded begin ns", "recorded finish ns"))
                        + (other == null ? "" : String.format(Locale.ROOT, " %20s %7s", "what-if finish ns", "idle")));
        int count = times.finishNs().length;
        for (int rank = 0; rank < Math.min(ROWS, count); rank++) {
            out.println(String.format(
                            Locale.ROOT,
                            "%6d %,18d %,18d %,18d %6.1f%%",
                            rank,
                            times.finishNs()[rank],
                            times.busyNs()[rank],
                            times.idleNs(rank),
                            percent(times, rank))
                    + (recorded.isEmpty()
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    " %,18d %,18d",
                                    recorded.get(rank).beginNs(),
                                    recorded.get(rank).endNs()))
                    + (other == null
                            ? ""
                            : String.format(
                                    Locale.ROOT, " %,20d %6.1f%%", other.finishNs()[rank], percent(other, rank))));
        }
        if (count > ROWS) {
            out.println(String.format(Locale.ROOT, "%6s of %,d ranks; --json has all", "…", count));
        }
    }

    private static double percent(SimulatedTimes times, int rank) {
        return times.makespanNs() == 0 ? 0 : 100.0 * times.idleNs(rank) / times.makespanNs();
    }

    /** How long what is simulated took in the recording, where that is known. */
    static void recorded(PrintWriter out, List<RecordedSpan> recorded, SimulatedTimes times) {
        long end = recorded.stream().mapToLong(RecordedSpan::endNs).max().orElse(0);
        if (end > 0) {
            out.println(String.format(
                    Locale.ROOT,
                    "recorded %,d ns (%.6f s); the simulation takes %.3f times as long",
                    end,
                    end / 1e9,
                    (double) times.makespanNs() / end));
        }
    }

    static void makespan(
            PrintWriter out, NetworkArguments arguments, SimulatedTimes times, @Nullable SimulatedTimes other) {
        out.println(String.format(
                Locale.ROOT,
                "makespan %,d ns (%.6f s): %s, %,d events",
                times.makespanNs(),
                times.makespanNs() / 1e9,
                describe(arguments.network()),
                times.events()));
        if (other != null) {
            out.println(String.format(
                    Locale.ROOT,
                    "makespan %,d ns (%.6f s), %.3f times as fast: %s: %s",
                    other.makespanNs(),
                    other.makespanNs() / 1e9,
                    speedup(times, other),
                    arguments.whatIf(),
                    describe(arguments.otherNetwork())));
        }
    }

    /** Says how far the makespan depends on the numbers of the ranks. */
    static void renumbered(PrintWriter out, SimulatedTimes times, MakespanRange range) {
        String orders = range.orders() == 1 ? "1 other order" : range.orders() + " other orders";
        if (range.leastNs() == times.makespanNs() && range.mostNs() == times.makespanNs()) {
            out.println("with the ranks numbered otherwise, the same makespan (" + orders + ")");
            return;
        }
        out.println(String.format(
                Locale.ROOT,
                "with the ranks numbered otherwise, %,d to %,d ns (%s; %+.1f%% to %+.1f%%): rank numbers decide what"
                        + " comes first of what happens at the same time",
                range.leastNs(),
                range.mostNs(),
                orders,
                change(times, range.leastNs()),
                change(times, range.mostNs())));
    }

    private static double change(SimulatedTimes times, long makespan) {
        return times.makespanNs() == 0 ? 0 : 100.0 * (makespan - times.makespanNs()) / times.makespanNs();
    }

    private static double speedup(SimulatedTimes times, SimulatedTimes other) {
        return times.makespanNs() == other.makespanNs() ? 1 : (double) times.makespanNs() / other.makespanNs();
    }

    private static String describe(Network n) {
        return "L " + n.latency() + " o " + n.overhead() + " g " + n.gap() + " O " + n.overheadPerByte() + " G "
                + Numbers.plain(n.gapPerByte()) + " S " + n.eager();
    }

    /** Names what waits for ever. */
    static void stuck(PrintWriter err, Path file, GoalSchedule schedule, SimulatedTimes times, SimulationRules rules)
            throws IOException {
        err.println(String.format(
                Locale.ROOT,
                "%s: deadlock: %,d operations never end; the times are those reached until then",
                file,
                times.stuck()));
        for (String operation : schedule.waiting(times)) {
            err.println("  " + operation + " waits for ever");
        }
        if (!rules.isLogGopSim()) {
            err.println("Hint: lockstep goal verify says why.");
        }
    }

    /** Says what of the makespan each network takes. */
    static void shares(PrintWriter out, NetworkShares shares) {
        out.println(String.format(
                Locale.ROOT,
                "of the makespan, transfers within nodes take %.1f%% and messages %.1f%%: so much shorter it would be"
                        + " without (%,d ns, %,d ns)",
                100 * shares.transfers(),
                100 * shares.messages(),
                shares.withoutTransfersNs(),
                shares.withoutMessagesNs()));
        if (shares.withoutTransfersNs() > shares.makespanNs() || shares.withoutMessagesNs() > shares.makespanNs()) {
            out.println("a time above the makespan counts as 0.0%: " + OTHER_ORDER);
        }
    }

    /** Says how better hardware can make a schedule longer. */
    static void longer(PrintWriter out, SimulatedTimes times, SimulatedTimes other) {
        if (other.makespanNs() > times.makespanNs()) {
            out.println("it takes longer although it has more: " + OTHER_ORDER);
        }
    }

    /** Says why a better network changes nothing. */
    static void unchanged(PrintWriter out, ScheduleCounts counts, boolean transfersKnown) {
        if (counts.bytes() > 0) {
            out.println("a better network changes nothing: the makespan does not wait for the data of messages");
        } else if (transfersKnown) {
            out.println(
                    "more bandwidth between nodes changes nothing: no message carries data, all transfers stay within"
                            + " nodes; --scale-node-bandwidth is about those");
        } else {
            out.println(
                    "more bandwidth between nodes changes nothing: no message carries data; transfers within nodes are"
                            + " calculations of the schedule");
        }
    }

    /** Says what the answer about a network leaves out, and who counts it. */
    static void leftOut(PrintWriter out, NetworkArguments arguments) {
        out.println("left out: how long transfers took in the recording, and kernels that computed beside them");
        out.println("lockstep collectives --what-if 'collective:*=x" + arguments.transferFactor()
                + "' with the recorded traces counts both");
    }

    /** Times, those of the other case, what each network takes, and makespans with other numbers of ranks. */
    record Found(
            SimulatedTimes times,
            @Nullable SimulatedTimes other,
            Optional<NetworkShares> shares,
            Optional<MakespanRange> renumbered) {}

    static void json(PrintWriter out, NetworkArguments arguments, List<RecordedSpan> recorded, Found found)
            throws IOException {
        SimulatedTimes times = found.times();
        SimulatedTimes other = found.other();
        JsonObject json = times(arguments.network(), recorded, times, new JsonObject());
        if (found.shares().isPresent()) {
            NetworkShares shares = found.shares().get();
            json.with(
                    "shares",
                    new JsonObject()
                            .with("transfers_within_nodes", shares.transfers())
                            .with("messages", shares.messages())
                            .with("makespan_without_transfers_ns", shares.withoutTransfersNs())
                            .with("makespan_without_messages_ns", shares.withoutMessagesNs()));
        }
        if (found.renumbered().isPresent()) {
            MakespanRange range = found.renumbered().get();
            json.with(
                    "renumbered",
                    new JsonObject()
                            .with("orders", range.orders())
                            .with("makespan_least_ns", range.leastNs())
                            .with("makespan_most_ns", range.mostNs()));
        }
        if (other != null) {
            JsonObject whatIf =
                    new JsonObject().with("what_if", arguments.whatIf()).with("times_as_fast", speedup(times, other));
            if (arguments.asksAboutMessages()) {
                whatIf.with("left_out", List.of("recorded_transfer_times", "computing_beside_transfers"));
            }
            json.with("what_if", times(arguments.otherNetwork(), List.of(), other, whatIf));
        }
        ScheduleJson.print(json, out);
    }

    private static JsonObject times(Network n, List<RecordedSpan> recorded, SimulatedTimes times, JsonObject into) {
        List<JsonObject> ranks = new ArrayList<>();
        for (int rank = 0; rank < times.finishNs().length; rank++) {
            JsonObject one = new JsonObject()
                    .with("rank", rank)
                    .with("finish_ns", times.finishNs()[rank])
                    .with("busy_ns", times.busyNs()[rank])
                    .with("idle_ns", times.idleNs(rank));
            if (!recorded.isEmpty()) {
                one.with("recorded_begin_ns", recorded.get(rank).beginNs())
                        .with("recorded_finish_ns", recorded.get(rank).endNs());
            }
            ranks.add(one);
        }
        return into.with(
                        "network",
                        new JsonObject()
                                .with("L", n.latency())
                                .with("o", n.overhead())
                                .with("g", n.gap())
                                .with("O", n.overheadPerByte())
                                .with("G", n.gapPerByte())
                                .with("S", n.eager()))
                .with("makespan_ns", times.makespanNs())
                .with("events", times.events())
                .with("stuck_operations", times.stuck())
                .with("ranks", ranks);
    }
}
