// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of which some cannot be read are the same ranks on executors as on one machine. */
class DamagedFilesTest {
    private static final int RUNS = 100;

    @TempDir
    private Path folder;

    @Test
    void whoIsWhoIsTheSameAsOnOneMachine() throws IOException {
        for (long seed = 0; seed < RUNS; seed++) {
            List<Path> files = run(new Random(seed), folder.resolve("s" + seed));
            List<String> names = files.stream().map(Path::toString).toList();
            List<RankShare.Head> heads = new ArrayList<>();
            for (String name : names) {
                FileTask.read(FileTask.Source.of(names.indexOf(name), name), new RemoteFiles(Map.of()), true)
                        .forEach(share -> heads.add(share.head()));
            }
            try (Session session = new Session(1)) {
                RankSet<String> here = RankSet.read(session, files, RankSelection.any(), trace -> "", bytes -> {});
                RankSet<RankShare.Head> there = FleetJob.ranks(heads, names);
                assertThat(said(there)).as("seed " + seed).isEqualTo(said(here));
                assertThat(there.worldSize()).as("seed " + seed).isEqualTo(here.worldSize());
            }
        }
    }

    private static List<String> said(RankSet<?> ranks) {
        return ranks.members().stream()
                .map(member -> member.rank() + " " + member.status() + " " + member.source() + " " + member.note())
                .toList();
    }

    /** A run of which at least one file is sound. */
    private static List<Path> run(Random random, Path folder) throws IOException {
        Files.createDirectories(folder);
        int count = 2 + random.nextInt(4);
        int states = random.nextInt(3);
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String facts = states == 0
                    ? ""
                    : "\"distributedInfo\": {\"rank\": " + (count - 1 - i)
                            + (states == 1 ? ", \"world_size\": " + count : "") + "}, ";
            byte[] content = ("{" + facts + "\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\","
                            + " \"pid\": 1, \"tid\": 1, \"ts\": " + (10 + i) + ", \"dur\": 5}]}")
                    .getBytes(UTF_8);
            files.add(Files.write(folder.resolve("node" + i + ".json"), content));
        }
        List<Path> victims = new ArrayList<>(files);
        Collections.shuffle(victims, random);
        for (Path victim : victims.subList(0, random.nextInt(count))) {
            byte[] content = Files.readAllBytes(victim);
            switch (random.nextInt(4)) {
                case 0 -> Files.write(victim, new byte[content.length]);
                case 1 -> Files.writeString(victim, "{\"batch\": 3}");
                case 2 -> {
                    Files.delete(victim);
                    Files.createSymbolicLink(victim, Path.of("gone.json"));
                }
                default -> Files.write(victim, Arrays.copyOf(content, random.nextInt(content.length)));
            }
        }
        return files;
    }
}
