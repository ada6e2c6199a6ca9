// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.PlannedOperator.Counts;
import dev.lockstep.replay.plan.PlannedOperator.Kernel;
import dev.lockstep.replay.plan.PlannedOperator.Recorded;
import dev.lockstep.replay.plan.ReplayPlan.Container;
import dev.lockstep.replay.plan.ReplayPlan.Source;
import dev.lockstep.replay.plan.ReplayPlan.StepCount;
import dev.lockstep.replay.plan.ReplayPlan.TimeBasis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanFileTest {
    @TempDir
    Path folder;

    /** A plan with every kind of argument. */
    static ReplayPlan plan() {
        TensorSpec tensor =
                new TensorSpec(List.of(2L, 3L), ElementType.BFLOAT16, true, List.of(3L, 1L), 4, 1, 12, "cuda:0");
        TensorSpec plain = new TensorSpec(List.of(), ElementType.INT64, false, null, 0, 0, 1, null);
        List<Argument> arguments = List.of(
                new Argument.Tensor(tensor),
                new Argument.Tensors(Arrays.asList(plain, null)),
                new Argument.Whole(Long.MIN_VALUE),
                new Argument.Real(1),
                new Argument.Real(Double.NaN),
                new Argument.Real(Double.NEGATIVE_INFINITY),
                new Argument.Truth(true),
                new Argument.Text("it's \"quoted\"\n"),
                new Argument.Values(List.of(new Argument.Whole(1), Argument.NONE)),
                Argument.NONE);
        return new ReplayPlan(
                new Source("trace.json", "et.json", 12, TimeBasis.DEVICE),
                new StepCount(4, "annotation"),
                List.of(
                        new PlannedOperator(
                                0,
                                new Call("aten::x", "aten::x.out(Tensor a) -> Tensor", arguments),
                                null,
                                new Call("aten::y", null, List.of(Argument.NONE)),
                                new Counts(9, 8, 3),
                                new Recorded(100, 200, List.of(new Kernel("k<'a'>", "[1]", null, 2, 200)))),
                        new PlannedOperator(
                                1,
                                new Call("c10d::send", null, List.of()),
                                ReplayGap.COLLECTIVE,
                                null,
                                new Counts(1, 0, 0),
                                new Recorded(-1, -1, List.of()))),
                List.of(new Container("aten::linear", 7)),
                55,
                List.of(0, 1, 0));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = folder.resolve("plan.json");
        PlanFile.write(plan(), file);

        assertThat(PlanFile.read(file)).isEqualTo(plan());
        assertThat(Files.readString(file)).contains("\"calls_percent\":92.3").contains("\"calls_per_step\":2.0");
    }

    /** Plans have a member for each kind of operator, by its name. */
    @Test
    void namesOfOperatorsMayHaveAnyLength() throws IOException {
        Path file = folder.resolve("plan.json");
        PlanFile.write(plan(), file);
        String name = "n".repeat(60_000);
        Files.writeString(
                file, Files.readString(file).replace("aten::x\"", name + "\"").replace("c10d::send", name));

        ReplayPlan read = PlanFile.read(file);
        assertThat(read.operators()).allMatch(operator -> operator.call().name().equals(name));
        PlanFile.write(read, file);
        assertThat(PlanFile.read(file)).isEqualTo(read);
    }

    @Test
    void listsInListsEndSomewhere() throws IOException {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        Path file = Files.writeString(
                folder.resolve("p.json"), PlanFile.text(plan()).replace("[1,null]", deep));

        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("operator 0: lists of arguments");
        Files.writeString(file, PlanFile.text(plan()).replace("\"cpu_ns\":100", "\"cpu_ns\":Infinity"));
        assertThatThrownBy(() -> PlanFile.read(file))
                .hasMessageContaining("'Infinity' is no JSON")
                .hasMessageNotContaining("`");
    }

    @Test
    void anOrderIsOfOperatorsOfThePlanAndMayBeAbsent() throws IOException {
        String text = PlanFile.text(plan());
        Path file = Files.writeString(folder.resolve("p.json"), text.replace("[0,1,0]", "[0,2]"));
        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("not in the plan");

        Files.writeString(file, text.replace(",\n\"order\": [0,1,0]", ""));
        assertThat(PlanFile.read(file).order()).isEmpty();
    }

    @Test
    void anOperatorIsOneLine() throws IOException {
        PlannedOperator operator = plan().operators().getFirst();
        String line = PlanFile.operatorLine(operator);

        assertThat(line).doesNotContain("\n");
        assertThat(PlanFile.readOperator(line).call()).isEqualTo(operator.call());
    }

    /** Plans are files that others write, too. */
    @ParameterizedTest
    @ValueSource(strings = {"aten::from_file", "aten::save", "script::define", "c10d::send", "prim::Print"})
    void whatNoRecordingMayHaveRunIsRefusedWhateverThePlanSays(String name) throws IOException {
        String text = PlanFile.text(plan());
        for (String own : List.of("aten::x\"", "aten::y\"")) {
            Path file = Files.writeString(folder.resolve("p.json"), text.replace(own, name + "\""));

            assertThat(PlanFile.read(file).operators().getFirst().gap()).isEqualTo(ReplayGap.REFUSED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"format\": \"other\"}",
                "{\"format\": \"lockstep-replay-plan\", \"version\": 2}",
                "{\"format\": \"lockstep-replay-plan\", \"version\": 1}",
                "{\"format\": \"lockstep-replay-plan\", \"version\": 1, \"operators\": [{\"id\": 3}]}",
                "{\"format\": \"lockstep-replay-plan\", \"version\": 1, \"oper"
            })
    void whatIsNoPlanIsRefusedWithItsName(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("no-plan.json"), text);

        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("no-plan.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "\"id\":1;                    \"id\":0;                     operator 1",
                "\"shape\":[2,3];              \"shape\":[-2,3];              operator 0: a tensor",
                "\"shape\":[2,3];              \"shape\":[99999999999999999999,3]; operator 0: a tensor",
                "\"strides\":[3,1];            \"strides\":[3];               operator 0: a tensor",
                "\"dtype\":\"bfloat16\";       \"dtype\":\"bfloat17\";        operator 0: a tensor",
                "\"offset\":4;                \"offset\":-4;                 operator 0: a tensor",
                "\"calls\":9;                 \"calls\":-9;                  operator 0: its numbers of calls",
                "\"calls_in_steps\":8;        \"calls_in_steps\":10;         operator 0: its numbers of calls",
                "\"inside_calls\":3;          \"inside_calls\":4000000000000; operator 0: its numbers of calls",
                "\"status\":\"replay\";       \"status\":\"unsupported\";   operator 0: it is unsupported for no reason",
                "\"reason\":\"collective\";    \"reason\":\"boredom\";        operator 1: unknown reason",
                "\"count\":4;                 \"count\":-4;                  steps below 0",
            })
    void contradictionsAreRefusedWithTheOperatorAtFault(String sound, String unsound, String words) throws IOException {
        String text = PlanFile.text(plan());
        assertThat(text).contains(sound);
        Path file = Files.writeString(folder.resolve("p.json"), text.replace(sound, unsound));

        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(words);
    }

    @Test
    void nothingFollowsAPlan() throws IOException {
        String text = PlanFile.text(plan());
        Path file = Files.writeString(folder.resolve("p.json"), text + text);

        assertThatThrownBy(() -> PlanFile.read(file)).hasMessageContaining("something follows");
    }

    @Test
    void sizesThatAreTooLargeStayLarge() {
        TensorSpec huge = new TensorSpec(List.of(1L << 40, 1L << 40), ElementType.FLOAT32, false, null, 0, 0, 0, null);

        assertThat(huge.elements()).isEqualTo(Long.MAX_VALUE);
        assertThat(huge.extent()).isEqualTo(Long.MAX_VALUE);
        assertThat(huge.storageBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(TensorSpec.plus(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anyCutIsRefused() throws IOException {
        Path file = folder.resolve("plan.json");
        PlanFile.write(plan(), file);
        String text = Files.readString(file);
        for (int end = 0; end < text.length() - 2; end += 7) {
            Path cut = Files.writeString(folder.resolve("cut.json"), text.substring(0, end));
            assertThatThrownBy(() -> PlanFile.read(cut)).isInstanceOf(TraceFormatException.class);
        }
    }
}
