// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.algorithm.StepStatement.Move;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a {@link StatedAlgorithm} is complete for one communicator: every message is received, with the same parts; what is
 * sent is there by then; nobody waits for ever; and in the end every rank has what the collective defines. One round on one
 * channel is carried out on what ranks have contributed to each part, not on data. A {@link StepBudget} pays for it.
 *
 * <p>Contributions are counted in a number: up to 16 ranks have four bits each, so that an error can name them; with more
 * ranks each is a large number that says nothing, and a wrong sum is as good as never equal to the right one.
 */
final class StepProof {
    private static final int NAMED_RANKS = 16;

    /** Steps of all ranks together, of a hundred bytes each. */
    private static final int MOST_STEPS = 4_000_000;

    /** Parts of all ranks together, and parts of all messages together, of eight bytes each. */
    private static final long MOST_STATES = 1L << 24;

    private static final int NONE = -1;

    private final StatedAlgorithm program;
    private final List<ChannelJob> jobs;
    private final StepBudget budget;
    private final int ranks;
    private final List<Node> roots = new ArrayList<>();
    private final Map<Long, Channel> channels = new HashMap<>();
    private final Deque<Node> ready = new ArrayDeque<>();
    private long[][] states = {};
    private int steps;
    private long moved;

    private StepProof(StatedAlgorithm program, List<ChannelJob> jobs, StepBudget budget) {
        this.program = program;
        this.jobs = jobs;
        this.budget = budget;
        this.ranks = jobs.size();
    }

    /**
     * Checks a round.
     *
     * @param jobs for each rank the same channel of the same collective
     * @param round its number
     * @return false if the program does not take the communicator
     * @throws TraceFormatException when the program is not complete; the message has the line
     * @throws StepBudget.Spent when it takes more steps or memory than it may
     */
    static boolean holds(StatedAlgorithm program, List<ChannelJob> jobs, long round, StepBudget budget)
            throws IOException {
        return new StepProof(program, jobs, budget).check(round);
    }

    /**
     * How many rounds there are, judging by the first rank.
     *
     * @throws StepBudget.Spent when checking one would take more memory than it may
     */
    static long rounds(StatedAlgorithm program, List<ChannelJob> jobs, StepBudget budget) throws IOException {
        long[] moves = new long[2];
        ChannelJob job = jobs.getFirst();
        StepMachine.Actions counting = new StepMachine.Actions() {
            @Override
            public void move(Move move, int part, int count, int from, int to) {
                moves[0]++;
                moves[1] += count;
            }

            @Override
            public void open(boolean sequence) {}

            @Override
            public void close() {}

            @Override
            public void worker(int group) {}
        };
        StepMachine machine = new StepMachine(program, job, counting, budget);
        if (machine.fits()) {
            machine.round(0);
        }
        if (2 * moves[0] * jobs.size() > MOST_STEPS
                || Math.max(moves[1], machine.count()) * jobs.size() > MOST_STATES) {
            throw new StepBudget.Spent();
        }
        return StepAlgorithm.rounds(program, job, machine.count());
    }

    /** A block, or data that moves; the tree of what a rank does. Only the outermost block may be empty. */
    private static final class Node {
        final @Nullable Node parent;
        final int place;
        final boolean sequence;
        final List<Node> parts;
        final int rank;

        @Nullable
        Move move;

        int first;
        int count;
        int from = NONE;
        int to = NONE;

        /** Among the messages from that rank. */
        int received;

        /** Among the messages to that rank. */
        int sent;

        int finished;
        boolean done;

        Node(@Nullable Node parent, int rank, boolean sequence, List<Node> parts) {
            this.parts = parts;
            this.parent = parent;
            this.rank = rank;
            this.sequence = sequence;
            this.place = parent == null ? 0 : parent.parts.size();
            if (parent != null) {
                parent.parts.add(this);
            }
        }

        /** Whether this is over before another one begins, because blocks say so. */
        boolean before(Node other) {
            int depth = depth();
            int otherDepth = other.depth();
            Node a = this;
            Node b = other;
            for (; depth > otherDepth; depth--) {
                a = above(a);
            }
            for (; otherDepth > depth; otherDepth--) {
                b = above(b);
            }
            while (a.parent != b.parent) {
                a = above(a);
                b = above(b);
            }
            return a.parent != null && a.parent.sequence && a.place < b.place;
        }

        private int depth() {
            int depth = 0;
            for (Node up = parent; up != null; up = up.parent) {
                depth++;
            }
            return depth;
        }

        private static Node above(Node node) {
            return node.parent == null ? node : node.parent;
        }
    }

    /** Messages from one rank to another. */
    private static final class Channel {
        final List<Node> sends = new ArrayList<>();
        final List<Node> receives = new ArrayList<>();

        /** What each message holds, once it is sent. */
        long @Nullable [][] contents = {};
    }

    private boolean check(long round) throws IOException {
        for (int rank = 0; rank < ranks; rank++) {
            Node root = new Node(null, rank, false, new ArrayList<>());
            Recorder recorder = new Recorder(root);
            StepMachine machine = new StepMachine(program, jobs.get(rank), recorder, budget);
            if (!machine.fits()) {
                return false;
            }
            budget.spend(machine.count() + ranks);
            if (rank == 0) {
                states = new long[ranks][machine.count()];
            } else if (states[0].length != machine.count()) {
                throw program.wrong(
                        1,
                        with() + " rank 0 has " + states[0].length + " parts, rank " + rank + " has " + machine.count(),
                        "The number of parts is the same on all ranks.");
            }
            machine.round(round);
            roots.add(root);
        }
        match();
        begin();
        roots.forEach(this::start);
        while (!ready.isEmpty()) {
            carryOut(ready.poll());
        }
        demandEnd();
        demandResult();
        return true;
    }

    private final class Recorder implements StepMachine.Actions {
        private Node block;
        private final Map<Integer, List<Node>> writers = new HashMap<>();

        Recorder(Node root) {
            this.block = root;
        }

        @Override
        public void move(Move move, int part, int count, int from, int to) throws IOException {
            budget.spend(2L * count); // recorded, and carried out
            moved += count;
            if (++steps > MOST_STEPS || moved > MOST_STATES) {
                throw new StepBudget.Spent();
            }
            Node node = new Node(block, block.rank, false, List.of());
            node.move = move;
            node.first = part;
            node.count = count;
            node.from = from;
            node.to = to;
            if (from != NONE) {
                Channel channel = channel(from, node.rank);
                node.received = channel.receives.size();
                channel.receives.add(node);
            }
            if (to != NONE) {
                Channel channel = channel(node.rank, to);
                node.sent = channel.sends.size();
                channel.sends.add(node);
            }
            order(node, move);
        }

        /**
         * What uses a part comes behind what brought it; sums of several that come side by side are fine. Of writers one
         * behind the other, the last stands for those before it, unless it may come side by side with what they may not.
         */
        private void order(Node node, Move move) throws IOException {
            boolean uses = move.verb().reduces() || !move.verb().receives();
            boolean adds = sums(move) && move.verb().keeps();
            for (int i = 0; i < node.count; i++) {
                int part = (node.first + i) % states[0].length;
                List<Node> before = writers.computeIfAbsent(part, p -> new ArrayList<>(1));
                budget.spend(before.size());
                for (Node writer : uses ? before : List.<Node>of()) {
                    Move wrote = moveOf(writer);
                    if (!(adds && sums(wrote)) && !writer.before(node)) {
                        throw program.wrong(
                                move.line(),
                                with() + " rank " + node.rank + " uses part " + part + ", which line " + wrote.line()
                                        + " brings, but nothing says that it waits for it",
                                "Statements run side by side; put the two into a block sequence … end, or into one"
                                        + " statement, as receive copy send.");
                    }
                }
                if (move.verb().keeps()) {
                    before.removeIf(writer -> (sums(moveOf(writer)) || !sums(move)) && writer.before(node));
                    before.add(node);
                }
            }
        }

        /** Whether several of these may come side by side. */
        private static boolean sums(Move move) {
            return move.verb().reduces() && !move.verb().sends();
        }

        @Override
        public void open(boolean sequence) {
            block = new Node(block, block.rank, sequence, new ArrayList<>());
        }

        @Override
        public void close() {
            Node above = Node.above(block);
            if (block.parts.isEmpty()) {
                above.parts.removeLast();
            }
            block = above;
        }

        @Override
        public void worker(int group) {}
    }

    private static Move moveOf(Node node) {
        if (node.move == null) {
            throw new IllegalStateException("a block moves nothing");
        }
        return node.move;
    }

    private Channel channel(int from, int to) {
        return channels.computeIfAbsent((long) from * ranks + to, key -> new Channel());
    }

    /** The k-th message is the k-th that is received. */
    private void match() throws TraceFormatException {
        for (Map.Entry<Long, Channel> entry :
                channels.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList()) {
            Channel channel = entry.getValue();
            int from = (int) (entry.getKey() / ranks);
            int to = (int) (entry.getKey() % ranks);
            for (int i = 0; i < Math.max(channel.sends.size(), channel.receives.size()); i++) {
                if (i >= channel.receives.size()) {
                    Node sent = channel.sends.get(i);
                    throw program.wrong(
                            moveOf(sent).line(),
                            with() + " rank " + from + " sends " + parts(sent) + " to rank " + to
                                    + ", which receives only " + i + " of its " + channel.sends.size() + " messages",
                            null);
                }
                Node received = channel.receives.get(i);
                if (i >= channel.sends.size()) {
                    throw program.wrong(
                            moveOf(received).line(),
                            with() + " rank " + to + " waits for " + parts(received) + " from rank " + from
                                    + ", which sends only " + i + " messages to it",
                            null);
                }
                Node sent = channel.sends.get(i);
                if (sent.first != received.first || sent.count != received.count) {
                    throw program.wrong(
                            moveOf(received).line(),
                            with() + " rank " + to + " expects " + parts(received) + " from rank " + from
                                    + ", which sends " + parts(sent) + " (line "
                                    + moveOf(sent).line() + ")",
                            "Messages between two ranks are received in the order in which they are sent.");
                }
            }
            channel.contents = new long[channel.sends.size()][];
        }
    }

    private String parts(Node node) {
        return node.count == 1 ? "part " + node.first : node.count + " parts from " + node.first + " on";
    }

    /** Contributions before the first step. */
    private void begin() {
        int root = jobs.getFirst().plan().root();
        for (int rank = 0; rank < ranks; rank++) {
            switch (program.kind()) {
                case ALL_GATHER -> states[rank][rank] = weight(rank);
                case BROADCAST -> Arrays.fill(states[rank], rank == root ? weight(rank) : 0);
                default -> Arrays.fill(states[rank], weight(rank));
            }
        }
    }

    /** What a rank contributes: with few ranks a digit of its own. */
    private long weight(int rank) {
        if (ranks <= NAMED_RANKS) {
            return 1L << (4 * rank);
        }
        long mixed = (rank + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    private void start(Node node) {
        Deque<Node> open = new ArrayDeque<>();
        open.push(node);
        while (!open.isEmpty()) {
            Node next = open.pop();
            if (next.move != null) {
                offer(next);
            } else if (next.parts.isEmpty()) {
                next.done = true;
            } else if (next.sequence) {
                open.push(next.parts.getFirst());
            } else {
                for (int i = next.parts.size() - 1; i >= 0; i--) {
                    open.push(next.parts.get(i));
                }
            }
        }
    }

    /** A step that may begin; a receive waits for its message. */
    private void offer(Node step) {
        if (step.from == NONE) {
            ready.add(step);
            return;
        }
        Channel channel = channel(step.from, step.rank);
        if (channel.contents != null && channel.contents[step.received] != null) {
            ready.add(step);
        } else {
            step.finished = 1;
        }
    }

    private void finish(Node node) {
        Node over = node;
        while (true) {
            over.done = true;
            Node parent = over.parent;
            if (parent == null) {
                return;
            }
            parent.finished++;
            if (parent.finished < parent.parts.size()) {
                if (parent.sequence) {
                    start(parent.parts.get(over.place + 1));
                }
                return;
            }
            over = parent;
        }
    }

    private void carryOut(Node step) throws TraceFormatException {
        Move move = moveOf(step);
        long[] own = states[step.rank];
        long[] moved = new long[step.count];
        long[] @Nullable [] contents = step.from == NONE ? null : channel(step.from, step.rank).contents;
        for (int i = 0; i < step.count; i++) {
            int part = (step.first + i) % own.length;
            long came = contents == null || contents[step.received] == null ? 0 : contents[step.received][i];
            moved[i] = step.from == NONE ? own[part] : move.verb().reduces() ? sum(step, part, came) : came;
            if (move.verb().keeps()) {
                own[part] = moved[i];
            }
        }
        if (step.to != NONE) {
            Channel channel = channel(step.rank, step.to);
            if (channel.contents != null) {
                channel.contents[step.sent] = moved;
            }
            Node receive = channel.receives.get(step.sent);
            if (receive.finished == 1) {
                receive.finished = 0;
                ready.add(receive);
            }
        }
        finish(step);
    }

    private long sum(Node step, int part, long came) throws TraceFormatException {
        long own = states[step.rank][part];
        if (ranks <= NAMED_RANKS) {
            for (int rank = 0; rank < ranks; rank++) {
                if ((own >>> 4 * rank & 15) + (came >>> 4 * rank & 15) > 1) {
                    throw program.wrong(
                            moveOf(step).line(),
                            with() + " rank " + step.rank + " adds to part " + part + " what rank " + rank
                                    + " contributed, and had added that before",
                            null);
                }
            }
        }
        return own + came;
    }

    private void demandEnd() throws TraceFormatException {
        for (Node root : roots) {
            Node open = root;
            while (!open.done && open.move == null) {
                open = open.parts.stream()
                        .filter(part -> !part.done)
                        .findFirst()
                        .orElseThrow();
            }
            if (!open.done) {
                throw program.wrong(
                        moveOf(open).line(),
                        with() + " ranks wait for each other for ever: rank " + open.rank + " for " + parts(open)
                                + " from rank " + open.from,
                        "Somebody has to send before it waits.");
            }
        }
    }

    private void demandResult() throws TraceFormatException {
        long all = IntStream.range(0, ranks).mapToLong(this::weight).sum();
        int root = jobs.getFirst().plan().root();
        for (int rank = 0; rank < ranks; rank++) {
            for (int part = 0; part < states[rank].length; part++) {
                boolean concerned = switch (program.kind()) {
                    case REDUCE -> rank == root;
                    case REDUCE_SCATTER -> rank == part;
                    default -> true;
                };
                long wanted = switch (program.kind()) {
                    case ALL_GATHER -> weight(part);
                    case BROADCAST -> weight(root);
                    default -> all;
                };
                if (concerned && states[rank][part] != wanted) {
                    throw program.wrong(
                            1,
                            with() + " in the end rank " + rank + " has part " + part + " of "
                                    + contributors(states[rank][part]) + ", not of " + contributors(wanted),
                            null);
                }
            }
        }
    }

    private String contributors(long state) {
        if (state == 0) {
            return "nobody";
        }
        if (ranks > NAMED_RANKS) {
            return state == IntStream.range(0, ranks).mapToLong(this::weight).sum() ? "all ranks" : "some ranks";
        }
        List<String> names = IntStream.range(0, ranks)
                .filter(rank -> (state >>> 4 * rank & 15) != 0)
                .mapToObj(rank -> rank + ((state >>> 4 * rank & 15) > 1 ? " twice" : ""))
                .collect(Collectors.toList());
        return (names.size() == 1 ? "rank " : "ranks ") + String.join(", ", names);
    }

    private String with() {
        ChannelJob job = jobs.getFirst();
        String nodes = program.needsNodes() ? " on " + job.nodes().count() + " nodes" : "";
        return "with " + ranks + " ranks" + nodes + ":";
    }
}
