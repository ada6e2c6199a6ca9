// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.RankRecording;
import dev.lockstep.clocks.Ties;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.CollectivePlaces;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.ranks.trust.RunCounts;
import dev.lockstep.session.RankSet;
import dev.lockstep.spark.Collected.Member;
import dev.lockstep.spark.Collected.Place;
import dev.lockstep.spark.RankShare.Communication;
import dev.lockstep.spark.RankShare.Head;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The collectives of a run, matched in a shuffle: kernels of several ranks meet where their places are equal. The driver holds the
 * names of groups and the sample that clocks are solved from, and no kernels beside.
 */
final class Matching {
    /** A partition of the shuffle gets about so many kernels. */
    private static final long KERNELS_OF_A_PARTITION = 500_000;

    private final Names names;
    private final JavaRDD<Collected> collectives;

    /**
     * What groups and agreements are numbered by, and what is known of each group.
     *
     * @param groups in their order
     * @param listed of each, how many members the trace lists
     * @param groupOf places of groups
     * @param agreementOf places of what members agree on
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Names(List<Group> groups, int[] listed, Map<Group, Integer> groupOf, Map<String, Integer> agreementOf)
            implements Serializable {
        static Names of(List<Group> groups, List<String> agreements) {
            List<Group> sorted = new ArrayList<>(groups);
            sorted.sort(Group.ORDER);
            int[] listed = new int[sorted.size()];
            for (int g = 0; g < listed.length; g++) {
                listed[g] = RankNumbers.of(sorted.get(g).members()).length;
            }
            List<String> texts = new ArrayList<>(agreements);
            texts.sort(null);
            return new Names(sorted, listed, numbered(sorted), numbered(texts));
        }

        private static <K> Map<K, Integer> numbered(List<K> keys) {
            Map<K, Integer> numbers = new HashMap<>();
            keys.forEach(key -> numbers.put(key, numbers.size()));
            return numbers;
        }
    }

    private Matching(Names names, JavaRDD<Collected> collectives) {
        this.names = names;
        this.collectives = collectives;
    }

    /**
     * Matches the kernels of a run.
     *
     * @param ranks what was kept of each rank, by its number
     * @param kernels how many kernels there are, about
     */
    static Matching of(JavaSparkContext spark, JavaPairRDD<Integer, RankShare> ranks, long kernels) {
        List<Group> groups = ranks.flatMap(rank -> groups(rank._1, rank._2.communication()))
                .distinct()
                .collect();
        List<String> agreements = ranks.flatMap(rank -> agreements(rank._2.communication()))
                .distinct()
                .collect();
        Names names = Names.of(groups, agreements);
        Broadcast<Names> known = spark.broadcast(names);
        int partitions = (int) Math.max(spark.defaultParallelism(), kernels / KERNELS_OF_A_PARTITION);
        JavaRDD<Collected> collectives = ranks.flatMapToPair(
                        rank -> members(rank._1, rank._2.communication(), known.value()))
                .groupByKey(partitions)
                .map(collective -> Collected.of(collective._1, collective._2))
                .persist(StorageLevel.MEMORY_AND_DISK_SER());
        return new Matching(names, collectives);
    }

    Names names() {
        return names;
    }

    /** The collectives, in no order. */
    JavaRDD<Collected> collectives() {
        return collectives;
    }

    /** What the collectives say of whether the traces of the run agree. */
    RunCounts counts(JavaSparkContext spark, Broadcast<RunClock> clock) {
        Broadcast<Names> known = spark.broadcast(names);
        long disagreements = collectives
                .mapToPair(one -> new Tuple2<>(
                        new Place(
                                one.place().group(),
                                one.place().number(),
                                0,
                                one.place().repetition()),
                        1))
                .reduceByKey(Integer::sum)
                .filter(place -> place._2 > 1)
                .count();
        return collectives
                .map(one -> one.counts(
                        clock.value(), known.value().groups().get(one.place().group())))
                .fold(RunCounts.NONE, RunCounts::plus)
                .withDisagreements(disagreements);
    }

    private static Iterator<Group> groups(int rank, Communication kernels) {
        CollectivePlaces places = kernels.places(rank);
        Set<Group> found = new HashSet<>();
        for (int i = 0; i < kernels.call().length; i++) {
            found.add(places.group(kernels.call()[i], places.isNumbered(i)));
        }
        return found.iterator();
    }

    private static Iterator<String> agreements(Communication kernels) {
        CollectivePlaces places = kernels.places(0); // of what they agree on, no part depends on the rank
        Set<String> found = new HashSet<>();
        for (int call = 0; call < kernels.calls().size(); call++) {
            found.add(places.agreement(call));
        }
        return found.iterator();
    }

    private static Iterator<Tuple2<Place, Member>> members(int rank, Communication kernels, Names names) {
        CollectivePlaces places = kernels.places(rank);
        List<CollectiveCall> calls =
                kernels.calls().stream().map(Matching::inGroup).toList();
        int[] agreements = new int[calls.size()];
        int[] numbered = new int[calls.size()];
        int[] ordered = new int[calls.size()];
        for (int c = 0; c < agreements.length; c++) {
            agreements[c] = names.agreementOf.getOrDefault(places.agreement(c), -1);
            numbered[c] = names.groupOf.getOrDefault(places.group(c, true), -1);
            ordered[c] = names.groupOf.getOrDefault(places.group(c, false), -1);
        }
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < kernels.call().length;
            }

            @Override
            public Tuple2<Place, Member> next() {
                int i = next++;
                int call = kernels.call()[i];
                int group = places.isNumbered(i) ? numbered[call] : ordered[call];
                return new Tuple2<>(
                        new Place(group, places.number(i), agreements[call], places.repetition(i)),
                        new Member(rank, i, kernels.ts()[i], kernels.dur()[i], places.isCoalesced(i), calls.get(call)));
            }
        };
    }

    /** What is asked of a call whose group is known. */
    private static CollectiveCall inGroup(CollectiveCall call) {
        boolean varies = call.kind() == CollectiveKind.ALL_TO_ALL || call.kind() == CollectiveKind.ALL_TO_ALL_V;
        return new CollectiveCall(
                "",
                call.kind(),
                call.collective(),
                null,
                null,
                call.groupSize(),
                call.dtype(),
                call.inElements(),
                call.outElements(),
                varies ? call.inSplit() : null,
                varies ? call.outSplit() : null,
                -1,
                -1,
                call.host());
    }

    /**
     * The clocks of ranks, estimated from evenly chosen collectives, the same that one machine would choose.
     *
     * @param ranks that were read, in order
     * @param places of ranks in that order, by number
     */
    Clocks clocks(List<RankSet.Member<Head>> ranks, Map<Integer, Integer> places) {
        Names known = names;
        JavaRDD<Collected> telling = collectives.filter(
                one -> one.tellsClocks(known.groups().get(one.place().group())));
        Map<Integer, Long> ofGroup = new TreeMap<>(
                telling.mapToPair(one -> new Tuple2<>(one.place().group(), 1)).countByKey());
        HashMap<Integer, Long> before = new HashMap<>();
        HashMap<Integer, Long> count = new HashMap<>(ofGroup);
        long sum = 0;
        for (Map.Entry<Integer, Long> group : ofGroup.entrySet()) {
            before.put(group.getKey(), sum);
            sum += group.getValue();
        }
        List<Collected> chosen = telling.sortBy(Collected::place, true, telling.getNumPartitions())
                .zipWithIndex()
                .filter(one -> isChosen(one._1, one._2, before, count))
                .keys()
                .collect();
        List<RankRecording> recordings = new ArrayList<>();
        for (RankSet.Member<Head> member : ranks) {
            Head head = Objects.requireNonNull(member.kept());
            recordings.add(
                    new RankRecording(Objects.requireNonNull(member.info()), head.recordedFrom(), head.recordedTo()));
        }
        Ties.Collector ties = new Ties.Collector(recordings.size());
        for (Collected one : chosen) {
            ties.collective();
            for (Member member : one.members()) {
                int place = places.getOrDefault(member.rank(), 0);
                long start = member.ts() + recordings.get(place).info().originNs();
                ties.member(place, start, start + member.dur());
            }
        }
        return Clocks.of(recordings, ties.ties(), -1);
    }

    private static boolean isChosen(Collected one, long index, Map<Integer, Long> before, Map<Integer, Long> count) {
        int group = one.place().group();
        long stride = Ties.stride(
                count.getOrDefault(group, 1L), count.size(), one.members().size());
        return (index - before.getOrDefault(group, 0L)) % stride == 0;
    }
}
