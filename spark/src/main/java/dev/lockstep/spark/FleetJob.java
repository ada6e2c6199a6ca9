// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetAnalysis;
import dev.lockstep.fleet.FleetPlaces;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.RankSet.Loaded;
import dev.lockstep.spark.FileTask.Source;
import dev.lockstep.spark.RankShare.Head;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** Reads a run with a task for each file, and analyses it. */
final class FleetJob {
    private static final int MOST_FAILURES = 4;

    /** Sums are small: a task that asks them takes those of so many files. */
    private static final int SHARES_OF_A_TASK = 32;

    private final JavaSparkContext spark;
    private final RemoteFiles remote;
    private final List<String> names;

    /**
     * A job for a run.
     *
     * @param inputs paths and URIs of its traces: files, folders, patterns
     */
    FleetJob(JavaSparkContext spark, List<String> inputs) throws IOException {
        this.spark = spark;
        remote = RemoteFiles.of(spark.hadoopConfiguration());
        names = remote.files(inputs);
    }

    /** Number of files that may be read. */
    int size() {
        return names.size();
    }

    /** Analyses the run. Of ranks with several traces the latest count: thousands of others should not have to wait for that. */
    FleetAnalysis run(RankSelection selection, FleetPlaces places) throws IOException {
        try {
            return once(selection, places);
        } catch (UserException e) {
            if (e.code() != ErrorCode.RANK_AMBIGUOUS) {
                throw e;
            }
            return once(new RankSelection(-1, null, true), places);
        }
    }

    private FleetAnalysis once(RankSelection selection, FleetPlaces places) throws IOException {
        Map<Path, String> named = new HashMap<>();
        names.forEach(name -> named.put(Path.of(name), name));
        List<String> chosen = RankSet.chosen(names.stream().map(Path::of).toList(), selection).stream()
                .map(path -> Objects.requireNonNull(named.get(path)))
                .toList();
        JavaRDD<RankShare> shares = read(chosen);
        try {
            RankSet<Head> ranks = ranks(shares.map(RankShare::head).collect(), chosen);
            Map<Long, Integer> numbers = new HashMap<>();
            ranks.present()
                    .forEach(member ->
                            numbers.put(Objects.requireNonNull(member.kept()).id(), member.rank()));
            Broadcast<Map<Long, Integer>> rankOf = spark.broadcast(numbers);
            int tasks = Math.max(spark.defaultParallelism(), chosen.size() / SHARES_OF_A_TASK);
            JavaPairRDD<Integer, RankShare> numbered = shares.coalesce(tasks)
                    .filter(share -> rankOf.value().containsKey(share.head().id()))
                    .mapToPair(share ->
                            new Tuple2<>(rankOf.value().get(share.head().id()), share));
            return FleetAnalysis.of(new SparkRun(spark, numbered, ranks, named, remote), places, names);
        } finally {
            shares.unpersist();
        }
    }

    private JavaRDD<RankShare> read(List<String> files) {
        List<Source> sources = new ArrayList<>();
        files.forEach(file -> sources.add(Source.of(sources.size(), file)));
        Broadcast<RemoteFiles> where = spark.broadcast(remote);
        int most = spark.sc().isLocal() ? 1 : spark.getConf().getInt("spark.task.maxFailures", MOST_FAILURES);
        return spark.parallelize(sources, sources.size())
                .flatMap(source -> FileTask.read(
                                source, where.value(), TaskContext.get().attemptNumber() + 1 >= most)
                        .iterator())
                .persist(StorageLevel.MEMORY_AND_DISK_SER());
    }

    static RankSet<Head> ranks(List<Head> heads, List<String> files) throws IOException {
        List<Loaded<Head>> loaded = new ArrayList<>();
        for (Head head : heads) {
            loaded.add(new Loaded<>(
                    Path.of(files.get(head.file())),
                    head.inside(),
                    head.merged(),
                    head.info(),
                    head.problems(),
                    head.loss(),
                    head.info() == null ? null : head,
                    head.unread()));
        }
        return RankSet.of(loaded);
    }
}
