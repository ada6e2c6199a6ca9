// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of kernels that a compiler mangled. What is expected is what c++filt of binutils 2.42 prints. */
class ShownNamesTest {
    private static final String KERNEL = "_ZN2at6native6kernelILi4EfEEvPT0_S3_i";
    private static final String READABLE = "void at::native::kernel<4, float>(float*, float*, int)";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "_Z3addiPf | add(int, float*)",
                "_Z3addv | add()",
                "_Z3addPKfPf.kd | add(float const*, float*) [clone .kd]",
                "_ZN2at6native6kernelILi4EfEEvPT0_S3_i | void at::native::kernel<4, float>(float*, float*, int)",
                "_ZN2at6native12_GLOBAL__N_11fILb1ELcn5ELm7EEEvv"
                        + " | void at::native::(anonymous namespace)::f<true, (char)-5, 7ul>()",
                "_Z1fRA4_fPFviPKcE | f(float (&) [4], void (*)(int, char const*))",
                "_Z1fIJifEEvDpT_ | void f<int, float>(int, float)",
                "_Z1fIJEEvDpT_ | void f<>()",
                "_Z1fIJicEEvP3TupIJDpRKT_EEDpS2_ | void f<int, char>(Tup<int const&, char const&>*, int const, char"
                        + " const)",
                "_Z1fIZN2at2goEvEUlfE_EviT_"
                        + " | void f<at::go()::{lambda(float)#1}>(int, at::go()::{lambda(float)#1})",
                "_ZZN2at2goEvENKUlfE0_clEf | at::go()::{lambda(float)#2}::operator()(float) const",
                "_Z1fSt10shared_ptrIN1a1bIfEEES_IKS3_E"
                        + " | f(std::shared_ptr<a::b<float> >, std::shared_ptr<std::shared_ptr<a::b<float> > const>)",
                "_ZN1SIiEC1EDF16_RKS0_ | S<int>::S(_Float16, S<int> const&)",
            })
    void namesAreThoseOfTheSource(String mangled, String readable) {
        assertThat(MangledNames.demangled(mangled)).isEqualTo(readable);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ampere_sgemm_128x64_tn",
                "_Z",
                "_Z9",
                "_Zebra",
                "_ZN",
                "_ZNE",
                "_Z1fS_",
                "_Z1fT_",
                "_Z1fii_",
                "_Z99999999999999999999a",
                "_ZTV1a",
                "_Z1fIXsr1aE1bEEvv",
                "_Z1fDpi",
                "_Z1fM",
                "_Z1fL"
            })
    void whatIsNotUnderstoodStaysAsRecorded(String name) {
        assertThat(MangledNames.demangled(name)).isEqualTo(name);
    }

    @Test
    void hostileNamesNeitherFailNorGrow() {
        List<String> names = new ArrayList<>(List.of(
                "_Z1f" + "P".repeat(100_000) + "i",
                "_Z1f" + "I".repeat(100_000),
                "_Z" + "Z".repeat(100_000),
                "_ZN" + "1a".repeat(50_000) + "Ev",
                "_Z1fIJ" + "i".repeat(3000) + "EEv" + "DpT_".repeat(3000),
                "_Z1fP" + "3TupI".repeat(150) + "E".repeat(150) + "FS_S_E".repeat(50)));
        StringBuilder doubling = new StringBuilder("_Z1f1a3TupIS_S_E");
        for (int i = 1; i < 35; i++) {
            String before = "S" + Character.toUpperCase(Character.forDigit(i, 36)) + "_";
            doubling.append("3TupI").append(before).append(before).append("E");
        }
        names.add(doubling.toString());
        String letters = "NKZEIJSTLDpRPKvifj_0123456789XaFMUl";
        Random random = new Random(41);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder(KERNEL);
            for (int k = random.nextInt(1, 6); k > 0; k--) {
                name.insert(random.nextInt(2, name.length()), letters.charAt(random.nextInt(letters.length())));
                name.deleteCharAt(random.nextInt(2, name.length()));
            }
            names.add(name.toString());
        }
        assertThat(names)
                .allSatisfy(name ->
                        assertThat(MangledNames.demangled(name)).hasSizeLessThanOrEqualTo(16 * name.length() + 4200));
    }

    @Test
    void sheetsFindingsAndTheTimelineShowReadableNames() {
        Report report = PerformanceReport.of(
                TestTraces.of(new EventText()
                        .op("aten::mm", 0, 20_000)
                        .kernel(KERNEL, 5_000, 10_000, 1, 7)
                        .kernel("_Zebra", 20_000, 10_000, 2, 7)),
                ReportOptions.standard());

        List<String> shown = new ArrayList<>();
        for (Table table : report.tables()) {
            table.columns().stream()
                    .filter(StringColumn.class::isInstance)
                    .map(StringColumn.class::cast)
                    .forEach(column -> {
                        for (int row = 0; row < table.rows(); row++) {
                            shown.add(String.valueOf(column.get(row)));
                        }
                    });
        }
        assertThat(shown).contains(READABLE, "_Zebra").noneMatch(text -> text.contains(KERNEL));
        assertThat(report.sections())
                .filteredOn(ChartSection.class::isInstance)
                .extracting(section -> ((ChartSection) section).chart())
                .filteredOn(Timeline.class::isInstance)
                .singleElement()
                .satisfies(chart -> assertThat(((Timeline) chart).texts().names())
                        .contains(READABLE)
                        .doesNotContain(KERNEL));
        assertThat(report.sections())
                .filteredOn(FindingsSection.class::isInstance)
                .allSatisfy(section -> assertThat(section.toString()).doesNotContain(KERNEL));
    }

    @Test
    void kernelsOnTheTimelineHaveShortWordsAndOperatorsHaveNone() {
        String kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long)";
        Report report = PerformanceReport.of(
                TestTraces.of(new EventText().op("aten::mm", 0, 20_000).kernel(kernel, 5_000, 10_000, 1, 7)),
                ReportOptions.standard());

        assertThat(report.sections())
                .filteredOn(ChartSection.class::isInstance)
                .extracting(section -> ((ChartSection) section).chart())
                .filteredOn(Timeline.class::isInstance)
                .singleElement()
                .satisfies(chart -> {
                    List<String> names = ((Timeline) chart).texts().names();
                    List<String> labels = ((Timeline) chart).texts().labels();
                    assertThat(labels.get(names.indexOf(kernel))).isEqualTo("all_reduce ring LL f32");
                    assertThat(labels.get(names.indexOf("aten::mm"))).isEmpty();
                });
    }
}
