// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known about a file so far: its sequences, tracks and clocks, and the ranks whose events are in it. */
final class FileState {
    /** The key of the facts that this program writes, behind the label of the rank. */
    private static final String OWN = "lockstep";

    /** The key that stands at the end of files of this program. */
    private static final String END = "lockstepEnd";

    final Tracks tracks = new Tracks();
    final PacketClocks clocks = new PacketClocks();
    /** The GPUs that the file names, in its order. */
    final List<TraceInfo.Device> gpus = new ArrayList<>();

    private final TraceInput input;
    private final ReadOptions options;
    private final Map<Long, Sequence> sequences = new HashMap<>();
    private long lastSequence = -1;
    private @Nullable Sequence last;
    private final List<RankEvents> ranks = new ArrayList<>();
    private final Diagnostics diagnostics = new Diagnostics();
    private final Map<Integer, Long> foreign = new TreeMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();

    FileState(TraceInput input, ReadOptions options) {
        this.input = input;
        this.options = options;
    }

    /** Size of the file in bytes, as it lies on the disk. */
    long size() throws IOException {
        return input.size();
    }

    Sequence sequence(long id) {
        Sequence found = last;
        if (found == null || id != lastSequence) {
            found = sequences.computeIfAbsent(id, i -> new Sequence());
            last = found;
            lastSequence = id;
        }
        return found;
    }

    /** Whoever the events of a sequence belong to: the rank that it introduced, else the one that all others share. */
    RankEvents events(Sequence sequence) {
        if (sequence.events == null) {
            sequence.events = ranks.stream()
                    .filter(r -> r.facts() == null)
                    .findFirst()
                    .orElseGet(() -> added(new RankEvents(this, null, Map.of(), options)));
        }
        return sequence.events;
    }

    private RankEvents added(RankEvents rank) {
        ranks.add(rank);
        return rank;
    }

    /** Counts an event that needs what its sequence should have said in front of it. */
    void stateMissing(long position) {
        loss(
                "state_missing",
                "events name texts or a clock that no packet in front of them says: they have no name, have no category"
                        + " and count nowhere, or were left out",
                position);
    }

    /** Takes the metadata of one packet: key to JSON text. */
    void metadata(Map<String, String> entries, Sequence sequence) {
        String own = entries.keySet().stream()
                .filter(k -> k.equals(OWN) || k.endsWith("/" + OWN))
                .findFirst()
                .orElse(null);
        OwnFacts facts = own == null ? null : OwnFacts.parse(entries.getOrDefault(own, ""));
        if (own == null || facts == null || sequence.events != null) {
            metadata.putAll(entries);
            return;
        }
        String prefix = own.substring(0, own.length() - OWN.length());
        Map<String, String> ofRank = new LinkedHashMap<>();
        entries.forEach((key, value) -> {
            if (!key.equals(own)) {
                ofRank.put(key.startsWith(prefix) ? key.substring(prefix.length()) : key, value);
            }
        });
        sequence.events = added(new RankEvents(this, facts, ofRank, options));
    }

    /** Counts a packet that holds none of the things that are read here. */
    void foreign(int field) {
        foreign.merge(field, 1L, Long::sum);
    }

    void loss(String code, String message, long position) {
        diagnostics.add(Weight.LOSS, code, message, position);
    }

    void observe(String code, String message, long position) {
        diagnostics.add(Weight.OBSERVATION, code, message, position);
    }

    /** The traces, in order of rank. */
    List<Trace> traces(String format, Diagnostics packing) {
        foreign.forEach((field, count) -> diagnostics.add(
                Weight.OBSERVATION,
                "foreign_packets",
                "packets of other kinds than track events and GPU work were passed over: " + foreignKinds(),
                -1,
                count));
        if (ranks.stream().anyMatch(r -> r.facts() != null) && metadata.remove(END) == null) {
            loss("truncated", "the end of the file is missing; the file was cut", -1);
        }
        if (ranks.isEmpty()) {
            added(new RankEvents(this, null, Map.of(), options));
        }
        List<Trace> traces = new ArrayList<>();
        sequences.clear();
        last = null;
        for (Rank number : RankClaims.settle(ranks, input.path())) {
            RankEvents rank = ranks.removeFirst();
            traces.add(rank.trace(input, format, number, metadata, diagnostics, packing));
        }
        traces.sort(Comparator.comparingInt(t -> t.info().rank().index()));
        return traces;
    }

    private String foreignKinds() {
        StringBuilder kinds = new StringBuilder();
        foreign.forEach((field, count) -> kinds.append(kinds.isEmpty() ? "" : ", ")
                .append(count)
                .append(" x ")
                .append(PacketKinds.name(field)));
        return kinds.toString();
    }
}
