// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepFileTest {
    private static final String GATHER = """
        algorithm mine
        collective AllGather

        steps
        """;

    @TempDir
    Path folder;

    private static StatedAlgorithm tried(String text) throws IOException {
        return AlgorithmFiles.tried(StepFile.parse("mine.steps", text));
    }

    private static void assertRefused(String text, String... words) {
        assertThatThrownBy(() -> tried(text))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageStartingWith("mine.steps: line ")
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring-all-reduce", "tree-all-reduce", "halving-all-reduce"})
    void examplesAreComplete(String name) throws IOException {
        assertThat(tried(AlgorithmFiles.example(name)).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Everybody to everybody.
                """
                for r from 0 to ranks - 1
                  if r != rank
                    send part rank to r
                    receive part r from r
                  end
                end
                """,
                // The ring, backwards, with a step between.
                """
                sequence
                  if in_place
                    send part rank to at(place - 1)
                  else
                    copy send part rank to at(place - 1)
                  end
                  for j from 1 to ranks - 2
                    receive copy send part at(place + j) from at(place + 1) to at(place - 1)
                  end
                  receive part at(place - 1) from at(place + 1)
                end
                """,
                // Within nodes first, then the parts of a node in one message where they lie side by side.
                """
                let first = member(node, 0)
                sequence
                  if rank == first
                    parallel
                      for i from 1 to locals - 1
                        receive part member(node, i) from member(node, i)
                      end
                    end
                    parallel
                      for n from 0 to nodes - 1
                        if n != node
                          let other = member(n, 0)
                          send parts rank count locals to other
                          if n < nodes - 1
                            receive parts other count member(n + 1, 0) - other from other
                          else
                            receive parts other count ranks - other from other
                          end
                        end
                      end
                    end
                    for i from 1 to locals - 1
                      send parts 0 count ranks to member(node, i)
                    end
                  else
                    send part rank to first
                    receive parts 0 count ranks from first
                  end
                end
                """
            })
    void whatReachesEverybodyIsComplete(String steps) {
        assertThatCode(() -> tried(GATHER + steps)).doesNotThrowAnyException();
    }

    @Test
    void whatNobodyReceivesIsNamed() {
        assertRefused(
                GATHER + "send part rank to next",
                "line 5: with 2 ranks: rank 0 sends part 0 to rank 1, which receives only 0 of its 1 messages");
    }

    @Test
    void whatNobodySendsIsNamed() {
        assertRefused(
                GATHER + "receive part previous from previous",
                "line 5: with 2 ranks: rank 1 waits for part 0 from rank 0, which sends only 0 messages");
    }

    @Test
    void otherPartsThanAreSentAreNamed() {
        assertRefused(
                GATHER + "send part rank to next\nreceive part rank from previous",
                "line 6: with 2 ranks: rank 1 expects part 1 from rank 0, which sends part 0 (line 5)");
    }

    @Test
    void whatIsMissingInTheEndIsNamed() {
        assertRefused(
                GATHER + "send part rank to next\nreceive part previous from previous",
                "with 3 ranks: in the end rank 0 has part",
                "of nobody, not of rank");
    }

    @Test
    void whatIsAddedTwiceIsNamed() {
        assertRefused(
                """
                algorithm mine
                collective Reduce
                steps
                if rank == root
                  for i from 1 to 2
                    receive reduce part 0 from (root + 1) % ranks
                  end
                else if rank == (root + 1) % ranks
                  send part 0 to root
                  send part 0 to root
                end
                """,
                "line 6: with 2 ranks: rank ", "adds to part 0 what rank", "contributed, and had added that before");
    }

    @Test
    void waitingForEachOtherIsNamed() {
        assertRefused(
                GATHER + "sequence\nreceive part previous from previous\nsend part rank to next\nend",
                "line 6: with 2 ranks: ranks wait for each other for ever");
    }

    @Test
    void whatIsSentBeforeItCameIsNamed() {
        assertRefused(
                """
                algorithm mine
                collective Broadcast
                steps
                if rank != root
                  receive part 0 from previous
                end
                if next != root
                  send part 0 to next
                end
                """,
                "line 8: with 3 ranks: rank",
                "uses part 0, which line 5 brings, but nothing says that it waits for it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "send part rank to rank + 1 | line 5: rank 1 of 2, channel 0 of 1 sends to rank 2 of ranks 0 to 1",
                "send part rank to rank | itself",
                "send part rank / 0 to next | / by zero",
                "let x = 999999999999999999 * 100 | overflow",
                "for i from 0 to 9 by 0\\nend | goes on by 0",
                "for i from 1 to 9999999\\nend | more than 200000 things",
                "for i from 1 to 9999\\nfor k from 1 to 9999\\nend\\nend | more than 200000 things",
                "send parts 0 count 3 to next | the number of parts is 3, not 0 to 2",
                "worker 1 | the worker is 1, not 0 to 0",
                "send part child(7) to next | child(7) of",
                "send part rank | expected send part FORMULA to RANK",
                "receive part rank to next | expected receive part FORMULA from RANK",
                "receive send part rank from previous to next | expected one of send, copy send, receive,",
                "shout | expected let, for, if",
                "send part 0 to next to next | a second to",
                "send part to next | expected a number or one of",
                "let x 5 | expected let NAME = FORMULA",
                "for i from 0 | expected for NAME from FORMULA to FORMULA",
                "send part rnak to next | expected a number or one of",
                "send part rank) to next | expected an operator at character 5",
                "let rank = 1 | cannot be a name of yours",
                "let x = x + 1 | expected a number or one of",
                "if rank == 0\\nlet y = 1\\nend\\nsend part y to next | found \"y\"",
                "for i from 0 to 1 | the file ends within a block",
                "end | where no block is open",
                "parallel\\nelse\\nend | where no block is open",
            })
    void mistakesHaveTheirLine(String steps, String message) {
        assertRefused(GATHER + steps.replace("\\n", "\n"), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | there is no line steps",
                "algorithm x | there is no line steps",
                "steps | there is no line algorithm before steps",
                "algorithm Über\\ncollective AllGather\\nsteps | a name of small letters",
                "algorithm x\\ncollective Send\\nsteps | expected one of AllGather, AllReduce",
                "algorithm x\\nalgorithm y\\nsteps | a second line algorithm",
                "algorithm x\\ncolour red\\nsteps | expected algorithm, collective, instead of",
                "algorithm x\\ncollective AllGather\\nparts 3\\nsteps | has a part for each rank",
                "algorithm x\\ncollective AllReduce\\nworkers 9\\nsteps | a number from 1 to 8",
                "algorithm x\\ncollective AllReduce\\ninstead of star\\nsteps | algorithms of NCCL (tree, ring",
                "algorithm x\\ncollective AllReduce\\nparts 0\\nsteps | the number of parts is 0",
                "algorithm x\\ncollective AllReduce\\nparts rank + 1\\nsteps | rank 0 has 1 parts, rank 1 has 2",
                "algorithm x\\ncollective AllReduce\\nonly if 0\\nsteps | takes no communicator of 2 to 17 ranks",
                "algorithm x\\ncollective AllReduce\\nonly if 1 = 1\\nsteps | expected an operator",
            })
    void headsHaveTheirLine(String text, String message) {
        assertRefused(text.replace("\\n", "\n"), message);
    }

    @Test
    void whatGoesOnForEverIsRefusedEarly() {
        assertRefused(GATHER + "if 1\n".repeat(40), "deep in each other");
        assertRefused(GATHER + "let x = " + "(".repeat(100), "at most 40 parentheses");
        assertRefused(GATHER + "let x = 1" + " + 1".repeat(200), "at most 600 characters");
        assertRefused(GATHER + "let x = 1" + "+1".repeat(280), "at most 500 characters");
        assertRefused(GATHER + "let x = 1\n".repeat(2000), "at most 2000 lines");
        assertRefused(GATHER + "send part 0 to 1" + " to 1".repeat(100), "a second to");
    }

    @Test
    void whatGoesWrongInALaterRoundIsRefused() {
        String ring = """
                if chunk >= 2 and rank == 0
                  send part 0 to next
                end
                copy send part rank to next
                for j from 1 to ranks - 2
                  receive copy send part at(place - j) from previous to next
                end
                receive part at(place + 1) from previous
                """;
        assertRefused(
                GATHER + ring,
                "line 8: with 2 ranks: rank 0 sends part 0 to rank 1, which receives only 1 of its 2 messages");
    }

    /** A part that goes around very often: what brought it is compared with its last writer alone. */
    @Test
    void longSequencesAboutOnePartAreChecked() {
        String around = """
                sequence
                  for i from 1 to 3000
                    if rank == 0
                      send part 0 to next
                      receive copy part 0 from previous
                    else
                      receive copy send part 0 from previous to next
                    end
                  end
                end
                """;
        String broadcast = "algorithm mine\ncollective Broadcast\nonly if ranks == 3 and root == 0\n\nsteps\n";

        assertThatCode(() -> tried(broadcast + around)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send parts 0 count 65536 to next", "copy parts 0 count 65536"})
    void whatMovesTooManyPartsToCheckIsRefused(String move) {
        assertRefused(
                "algorithm mine\ncollective AllReduce\nparts 65536\n\nsteps\nfor i from 1 to 2000\n" + move + "\nend",
                "there are too many steps to check");
    }

    @ParameterizedTest
    @ValueSource(strings = {"at(9-i)+at(9-i)+at(9-i)+at(9-i)+at(9-i)", "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1"})
    void whatCalculatesTooLongToCheckIsRefused(String formula) {
        assertRefused(
                AlgorithmFiles.example("ring-all-reduce") + "for i from 1 to 90000\nlet x = " + formula + "\nend",
                "there are too many steps to check");
    }

    /** Lines that are lost, doubled or moved, words that change places: everything is complete or has its line. */
    @Test
    void damagedFilesAreCompleteOrHaveTheirLine() throws IOException {
        Random random = new Random(17);
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            String name = AlgorithmFiles.EXAMPLES.get(random.nextInt(3));
            List<String> lines =
                    new ArrayList<>(AlgorithmFiles.example(name).lines().toList());
            int at = random.nextInt(lines.size());
            int other = random.nextInt(lines.size());
            switch (random.nextInt(4)) {
                case 0 -> lines.remove(at);
                case 1 -> lines.add(other, lines.get(at));
                case 2 -> Collections.swap(lines, at, other);
                default -> {
                    List<String> words = new ArrayList<>(List.of(lines.get(at).split(" ")));
                    Collections.shuffle(words, random);
                    lines.set(at, String.join(" ", words));
                }
            }
            try {
                tried(String.join("\n", lines));
            } catch (TraceFormatException e) {
                refused++;
                assertThat(e).hasMessageStartingWith("mine.steps: line ");
            }
        }
        assertThat(refused).isBetween(100, 399);
    }

    @Test
    void aFileForWhatAnotherIsForIsRefused() throws IOException {
        Path ring = Files.writeString(folder.resolve("a.steps"), AlgorithmFiles.example("ring-all-reduce"));
        Path tree = Files.writeString(folder.resolve("b.steps"), AlgorithmFiles.example("tree-all-reduce"));
        Path halving = Files.writeString(folder.resolve("c.steps"), AlgorithmFiles.example("halving-all-reduce"));

        assertThat(AlgorithmFiles.read(List.of(ring, tree)).list())
                .extracting(algorithm -> algorithm.name())
                .contains("pat", "ring-all-reduce", "tree-all-reduce");
        assertThatThrownBy(() -> AlgorithmFiles.read(List.of(ring, halving)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("both carry out AllReduce");
    }
}
