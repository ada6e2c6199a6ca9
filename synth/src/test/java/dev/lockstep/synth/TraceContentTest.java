// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.ParsedTrace.Event;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraceContentTest {
    private final TraceRecipe recipe = SmallRecipes.small();

    @ParameterizedTest
    @EnumSource(Vendor.class)
    void everyLaunchHasItsWorkAndItsFlow(Vendor vendor) {
        ParsedTrace trace = ParsedTrace.of(recipe.withVendor(vendor), 1);
        Map<Long, Event> work = byCorrelation(trace.where(Event::isDevice));
        Map<Long, Event> launches = byCorrelation(trace.complete("cuda_runtime", "cuda_driver").stream()
                .filter(event -> event.name().matches(".*(Launch|Memcpy|Memset).*"))
                .toList());
        assertThat(launches.keySet()).isEqualTo(work.keySet()).hasSizeGreaterThan(100);
        launches.forEach((id, launch) -> {
            Event started = work.getOrDefault(id, launch);
            assertThat(started.start()).isGreaterThan(launch.end());
            assertThat(started.number("External id")).isEqualTo(launch.number("External id"));
        });
        assertThat(flows(trace, "ac2g", "s"))
                .isEqualTo(flows(trace, "ac2g", "f"))
                .hasSize(launches.size());
    }

    private static Map<Long, Event> byCorrelation(List<Event> events) {
        return events.stream().collect(Collectors.toMap(event -> event.number("correlation"), Function.identity()));
    }

    private static List<Long> flows(ParsedTrace trace, String category, String phase) {
        return trace.where(event -> event.is(category) && event.text("ph").equals(phase)).stream()
                .map(event -> Long.parseLong(event.text("id")))
                .sorted()
                .toList();
    }

    @Test
    void everyForwardOpHasItsBackwardNode() {
        ParsedTrace trace = ParsedTrace.of(recipe, 0);
        List<Long> nodes = trace.complete("cpu_op").stream()
                .filter(event -> event.name().startsWith("autograd::engine"))
                .map(event -> event.number("Sequence number"))
                .filter(number -> number > 0)
                .sorted()
                .toList();
        assertThat(flows(trace, "fwdbwd", "s"))
                .isEqualTo(flows(trace, "fwdbwd", "f"))
                .isEqualTo(nodes);
        assertThat(nodes).doesNotHaveDuplicates().hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @EnumSource(Vendor.class)
    void workOnAStreamDoesNotOverlap(Vendor vendor) {
        ParsedTrace trace = ParsedTrace.of(recipe.withVendor(vendor), 2);
        Map<String, List<Event>> streams =
                trace.where(Event::isDevice).stream().collect(Collectors.groupingBy(Event::track));
        assertThat(streams).hasSize(4);
        streams.forEach((track, events) -> {
            List<Event> sorted = events.stream()
                    .sorted(Comparator.comparingLong(Event::start))
                    .toList();
            for (int i = 1; i < sorted.size(); i++) {
                assertThat(sorted.get(i).start())
                        .isGreaterThanOrEqualTo(sorted.get(i - 1).end());
            }
        });
    }

    @Test
    void callsOnAThreadNest() {
        ParsedTrace trace = ParsedTrace.of(recipe.withPythonStacks(true).withClocks(1_000_000, 300), 3);
        Map<String, List<Event>> threads =
                trace.where(Event::isHost).stream().collect(Collectors.groupingBy(Event::track));
        assertThat(threads).hasSize(2);
        threads.values().forEach(TraceContentTest::assertNested);
    }

    private static void assertNested(List<Event> events) {
        Deque<Event> open = new ArrayDeque<>();
        events.stream()
                .sorted(Comparator.comparingLong(Event::start)
                        .thenComparing(Event::duration, Comparator.reverseOrder()))
                .forEach(event -> {
                    while (!open.isEmpty() && open.getLast().end() <= event.start()) {
                        open.removeLast();
                    }
                    assertThat(open.isEmpty() || event.end() <= open.getLast().end())
                            .as("%s within %s", event.name(), open.peekLast())
                            .isTrue();
                    open.addLast(event);
                });
    }

    @Test
    void stepsAreNumberedAndHoldTheirEvents() {
        ParsedTrace trace = ParsedTrace.of(recipe.withSteps(3), 0);
        List<Event> steps = trace.complete("user_annotation").stream()
                .filter(event -> event.name().startsWith("ProfilerStep#"))
                .toList();
        assertThat(steps).extracting(Event::name).containsExactly("ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3");
        for (Event event : trace.where(event -> event.isHost() || event.isDevice())) {
            assertThat(steps).anyMatch(step -> step.start() <= event.start() && event.end() <= step.end());
        }
    }

    @Test
    void pythonFramesNameTheirParents() {
        ParsedTrace trace = ParsedTrace.of(recipe.withPythonStacks(true), 0);
        Map<Long, Event> frames = trace.complete("python_function").stream()
                .collect(Collectors.toMap(event -> event.number("Python id"), Function.identity()));
        assertThat(frames.values()).anyMatch(event -> event.name().equals("nn.Module: TransformerBlock_1"));
        frames.values().stream()
                .filter(event -> event.args().get("Python parent id") != null)
                .forEach(event -> {
                    Event parent = frames.getOrDefault(event.number("Python parent id"), event);
                    assertThat(parent).isNotSameAs(event);
                    assertThat(parent.start()).isLessThanOrEqualTo(event.start());
                    assertThat(parent.end()).isGreaterThanOrEqualTo(event.end());
                });
        assertThat(trace.root()).containsKey("with_stack");
    }

    @Test
    void annotationsHaveTwinsOverTheWorkTheyEnqueued() {
        ParsedTrace trace = ParsedTrace.of(recipe, 0);
        Map<Long, Event> host = trace.complete("user_annotation").stream()
                .collect(Collectors.toMap(event -> event.number("External id"), Function.identity()));
        List<Event> twins = trace.complete("gpu_user_annotation");
        assertThat(twins)
                .isNotEmpty()
                .allSatisfy(twin -> assertThat(host)
                        .hasEntrySatisfying(
                                twin.number("External id"),
                                event -> assertThat(event.name()).isEqualTo(twin.name())));
    }

    @ParameterizedTest
    @EnumSource(Omission.class)
    void whatIsOmittedIsNotThere(Omission omission) {
        ParsedTrace full = ParsedTrace.of(recipe, 0);
        ParsedTrace bare = ParsedTrace.of(recipe.without(omission), 0);
        assertThat(has(full, omission)).isTrue();
        assertThat(has(bare, omission)).isFalse();
    }

    private static boolean has(ParsedTrace trace, Omission omission) {
        return switch (omission) {
            case DISTRIBUTED_INFO -> trace.root().containsKey("distributedInfo");
            case BASE_TIME -> trace.root().containsKey("baseTimeNanoseconds");
            case DEVICE_PROPERTIES -> trace.root().containsKey("deviceProperties");
            case COLLECTIVE_METADATA ->
                trace.events().stream().anyMatch(event -> event.args().containsKey("Collective name"));
            case GROUP_DESCRIPTIONS ->
                trace.collectives().stream()
                        .noneMatch(event -> "undefined".equals(event.args().get("Process Group Description")));
            case SHAPES ->
                trace.events().stream().anyMatch(event -> event.args().containsKey("Input Dims"));
            case STEPS -> trace.events().stream().anyMatch(event -> event.name().startsWith("ProfilerStep#"));
            case FLOWS -> trace.events().stream().anyMatch(event -> event.is("ac2g") || event.is("fwdbwd"));
        };
    }

    @Test
    void vendorsDifferInNames() {
        ParsedTrace cuda = ParsedTrace.of(recipe, 0);
        ParsedTrace rocm = ParsedTrace.of(recipe.withVendor(Vendor.ROCM), 0);
        assertThat(cuda.complete("kernel")).anyMatch(event -> event.name().startsWith("nvjet_"));
        assertThat(cuda.complete("cuda_runtime")).allMatch(event -> event.name().startsWith("cuda"));
        assertThat(rocm.complete("kernel")).anyMatch(event -> event.name().startsWith("Cijk_"));
        assertThat(rocm.complete("cuda_runtime")).allMatch(event -> event.name().startsWith("hip"));
        assertThat(rocm.complete("cuda_driver")).isEmpty();
    }

    @Test
    void aLaunchBoundHostLeavesTheDeviceIdle() {
        assertThat(idleShare(recipe.launchBound())).isGreaterThan(0.4);
        assertThat(idleShare(recipe.withModel(new TraceRecipe.Model(2, 2048, 4096, 1))))
                .isLessThan(0.1);
    }

    private static double idleShare(TraceRecipe recipe) {
        List<Event> work = ParsedTrace.of(recipe, 0).where(Event::isDevice).stream()
                .sorted(Comparator.comparingLong(Event::start))
                .toList();
        long busy = 0;
        long until = work.get(0).start();
        for (Event event : work) {
            busy += Math.max(0, event.end() - Math.max(until, event.start()));
            until = Math.max(until, event.end());
        }
        return 1 - (double) busy / (until - work.get(0).start());
    }
}
