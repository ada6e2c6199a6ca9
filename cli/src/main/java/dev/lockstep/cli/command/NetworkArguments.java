// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.model.Machine;
import dev.lockstep.goal.model.Network;
import dev.lockstep.write.Numbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.Consumer;

/** The options that describe a network, and another one to compare it with. */
final class NetworkArguments {
    private static final Network D = Network.DEFAULT;

    private long latency = D.latency();
    private long overhead = D.overhead();
    private long gap = D.gap();
    private long overheadPerByte = D.overheadPerByte();
    private double gapPerByte = D.gapPerByte();
    private long eager = D.eager();
    private double network = 1;
    private double bandwidth = 1;
    private double compute = 1;
    private double transfers = 1;
    private long nodeBandwidth;

    /** Declares the network, and what may be changed about it. */
    void declare(Arguments arguments) {
        declareNetwork(arguments, "-o");
        factor(
                arguments,
                "--scale-network",
                "What if the network were F times as fast: L, g and G divided by F.",
                given -> network = given);
        factor(
                arguments,
                "--scale-bandwidth",
                "What if it had F times the bandwidth: G divided by F.",
                given -> bandwidth = given);
        factor(arguments, "--scale-compute", "What if calculations were F times as fast.", given -> compute = given);
        arguments.option(
                "--node-bandwidth",
                "GB/S",
                Double.class,
                "Bandwidth of transfers within nodes (default: as the schedule was made).",
                given -> nodeBandwidth = GoalArguments.bandwidth(given));
        factor(
                arguments,
                "--scale-node-bandwidth",
                "What if transfers within nodes had F times the bandwidth.",
                given -> transfers = given);
    }

    /**
     * Declares the network alone.
     *
     * @param overheadName what the overhead is called; {@code -o} where nothing is written
     */
    void declareNetwork(Arguments arguments, String overheadName) {
        number(arguments, "-L", "NS", "Latency of a message", D.latency(), given -> latency = given);
        number(
                arguments,
                overheadName,
                "NS",
                "Time of a processor for a message",
                D.overhead(),
                given -> overhead = given);
        number(arguments, "-g", "NS", "Time of a network card for a message", D.gap(), given -> gap = given);
        number(
                arguments,
                "-O",
                "NS",
                "Time of a processor for each byte",
                D.overheadPerByte(),
                given -> overheadPerByte = given);
        arguments.option(
                "-G",
                "NS",
                Double.class,
                "Time of the network for each byte (default: " + D.gapPerByte() + ", which is 200 Gb/s).",
                given -> gapPerByte = demand(given >= 0, "-G", given));
        number(
                arguments,
                "-S",
                "BYTES",
                "Largest message that does not wait for its receiver",
                D.eager(),
                given -> eager = given);
    }

    Network network() {
        return new Network(latency, overhead, gap, overheadPerByte, gapPerByte, eager);
    }

    /** Whether there is anything to compare with. */
    boolean asksWhatIf() {
        return network != 1 || bandwidth != 1 || compute != 1 || transfers != 1;
    }

    Network otherNetwork() {
        return network().faster(network).wider(bandwidth);
    }

    /** What happens within nodes. */
    Machine machine() {
        return new Machine(1, 1, nodeBandwidth);
    }

    Machine otherMachine() {
        return new Machine(compute, transfers, nodeBandwidth);
    }

    /** Whether another network between nodes is asked for. */
    boolean asksAboutMessages() {
        return network != 1 || bandwidth != 1;
    }

    /** Whether more bandwidth between ranks is asked for, and within nodes not. */
    boolean asksAboutMessagesOnly() {
        return asksAboutMessages() && compute == 1 && transfers == 1;
    }

    /** How many times as long the data of a message then takes, for {@code --what-if}. */
    String transferFactor() {
        return BigDecimal.ONE
                .divide(BigDecimal.valueOf(network).multiply(BigDecimal.valueOf(bandwidth)), 6, RoundingMode.HALF_EVEN)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Whether nothing is worse in the other case. */
    boolean asksForMoreOnly() {
        return network >= 1 && bandwidth >= 1 && compute >= 1 && transfers >= 1;
    }

    /** The other case in words. */
    String whatIf() {
        StringBuilder words = new StringBuilder("what if");
        say(words, "the network were", network, "times as fast");
        say(words, "it had", bandwidth, "times the bandwidth");
        say(words, "calculations were", compute, "times as fast");
        say(words, "transfers within nodes had", transfers, "times the bandwidth");
        return words.toString();
    }

    private static void say(StringBuilder words, String before, double factor, String after) {
        if (factor != 1) {
            words.append(words.charAt(words.length() - 1) == 'f' ? " " : ", ")
                    .append(before)
                    .append(' ')
                    .append(Numbers.plain(factor))
                    .append(' ')
                    .append(after);
        }
    }

    private static void number(
            Arguments arguments, String name, String label, String doc, long standard, Consumer<Long> given) {
        arguments.option(name, label, Long.class, doc + " (default: " + standard + ").", value -> {
            given.accept(demand(value >= 0, name, value));
        });
    }

    private static void factor(Arguments arguments, String name, String doc, Consumer<Double> given) {
        arguments.option(name, "F", Double.class, doc, value -> {
            if (!(value > 0)) {
                throw new UserException(ErrorCode.OPTION_INVALID, name + " must be more than 0, not " + value, null);
            }
            given.accept(value);
        });
    }

    private static <T> T demand(boolean notNegative, String name, T value) {
        if (!notNegative) {
            throw new UserException(ErrorCode.OPTION_INVALID, name + " must be 0 or more, not " + value, null);
        }
        return value;
    }
}
