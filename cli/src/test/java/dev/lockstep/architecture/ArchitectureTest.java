// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands on what inside of the modules without libraries, and the habits that all of them keep, as {@code ARCHITECTURE.md} states them. */
class ArchitectureTest {
    private static final String ROOT = "dev.lockstep";

    /** The package above all others, with the way in for other programs. */
    private static final String LIBRARY = "(root)";

    /**
     * What each package builds on; a line holds for its subpackages too, and a package may use whatever those that it
     * names may use. {@code error} is open to all. A new package needs a line here.
     */
    private static final Map<String, Set<String>> BUILDS_ON = Map.ofEntries(
            Map.entry("error", Set.of()),
            Map.entry("codec", Set.of()),
            Map.entry("table", Set.of()),
            Map.entry("tabular", Set.of("table")),
            Map.entry("model", Set.of("table")),
            Map.entry("read", Set.of("model", "codec")),
            Map.entry("derive", Set.of("model", "codec")),
            Map.entry("report", Set.of("table")),
            Map.entry("words", Set.of("report", "perfmodel")),
            Map.entry("dialect", Set.of()),
            Map.entry("write", Set.of("report", "codec")),
            Map.entry("timeline", Set.of("model", "write")),
            Map.entry("fetch", Set.of("write")),
            Map.entry("session", Set.of("derive", "read", "timeline", "tabular")),
            Map.entry("synth", Set.of("model", "write")),
            Map.entry("iterations", Set.of("derive", "read", "codec")),
            Map.entry("runs", Set.of("table", "session")),
            Map.entry("inference", Set.of("derive")),
            Map.entry("options", Set.of("model", "codec")),
            Map.entry("perfmodel", Set.of("options", "codec")),
            Map.entry("clocks", Set.of("derive")),
            Map.entry("analyze", Set.of("derive", "perfmodel", "report", "words", "clocks")),
            Map.entry("merge", Set.of("analyze", "read", "timeline")),
            Map.entry("path", Set.of("analyze")),
            Map.entry("actions", Set.of("path")),
            Map.entry("ranks", Set.of("path", "session")),
            Map.entry("straggler", Set.of("ranks", "write")),
            Map.entry("dataset", Set.of("ranks")),
            Map.entry("fleet", Set.of("ranks")),
            Map.entry("compare", Set.of("ranks", "runs")),
            Map.entry("sweep", Set.of("compare", "merge")),
            Map.entry("reporting", Set.of("actions", "inference", "iterations", "dataset", "fleet", "sweep")),
            Map.entry(LIBRARY, Set.of("reporting")),
            Map.entry("goal", Set.of("clocks", "path", "perfmodel", "session", "words")),
            Map.entry("hangs", Set.of("session", "words")),
            Map.entry("links", Set.of("analyze", "session", "words")),
            Map.entry("aiu", Set.of("merge", "session")),
            Map.entry("replay", Set.of("analyze", "read", "codec", "kernels", "power")),
            Map.entry("kernels", Set.of("analyze", "codec", "tabular", "write", "replay")),
            Map.entry("power", Set.of("table", "codec", "tabular")),
            Map.entry(
                    "compat",
                    Set.of("dialect", "publish", "reporting", "aiu", "goal", "kernels", "replay", "straggler")));

    private static final int MOST_ARGUMENTS = 7;

    private static final Set<String> OPEN_TO_ALL = Set.of("error");

    /** Packages whose subpackages are alternatives to one another. */
    private static final List<String> WITH_INDEPENDENT_PARTS = List.of("read", "analyze", "compat");

    private static final Set<String> CHANGEABLE_TYPES = Set.of(
            "java.util.ArrayList",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.TreeMap",
            "java.util.IdentityHashMap",
            "java.lang.ThreadLocal",
            "java.lang.StringBuilder",
            "java.util.BitSet");

    /** Packages of modules that stand on libraries, which have walls of their own. */
    private static final String[] WITH_LIBRARIES = {
        ROOT + ".cli..", ROOT + ".publish..", ROOT + ".sql..", ROOT + ".spark..", ROOT + ".libtorch.."
    };

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(ROOT)
            .that(not(resideInAnyPackage(WITH_LIBRARIES)));

    static Stream<String> layers() {
        return BUILDS_ON.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("layers")
    void usesOnlyTheLayersBelow(String layer) {
        Set<String> below = new TreeSet<>(OPEN_TO_ALL);
        addAllBelow(layer, below);
        below.add(layer);
        check(classes().that().resideInAPackage(in(layer)).should().onlyDependOnClassesThat(allowed(below)));
    }

    @Test
    void everyPackageHasItsPlace() {
        assertThat(CORE.stream().map(ArchitectureTest::layerOf).distinct()).isSubsetOf(BUILDS_ON.keySet());
    }

    @Test
    void writersKnowNoAnalyses() {
        check(noClasses()
                .that()
                .resideInAnyPackage(in("write"), in("timeline"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(in("analyze")));
    }

    @Test
    void packagesFormNoCycles() {
        check(slices().matching(ROOT + ".(**)").should().beFreeOfCycles());
    }

    /** But AORTA's scripts have TraceLens write their reports, and two traces are compared by the account of idle time of each. */
    @Test
    void formatsTopicsAndToolsDoNotKnowEachOther() {
        for (String parent : WITH_INDEPENDENT_PARTS) {
            check(slices().matching(ROOT + "." + parent + ".(*)..")
                    .should()
                    .notDependOnEachOther()
                    .ignoreDependency(resideInAPackage(in("compat.aorta")), resideInAPackage(in("compat.tracelens")))
                    .ignoreDependency(resideInAPackage(in("analyze.compare")), resideInAPackage(in("analyze.time"))));
        }
    }

    @Test
    void everyPackageIsNullMarkedAndSaysWhatItIs() {
        for (JavaClass type : CORE) {
            JavaPackage home = type.getPackage();
            assertThat(home.isAnnotatedWith(NullMarked.class))
                    .as("%s has a package-info.java with @NullMarked", home.getName())
                    .isTrue();
        }
    }

    /** Records apart, whose components have names; what imitates another tool takes what that tool takes. */
    @Test
    void noMethodTakesMoreThanSevenArguments() {
        List<String> wide = CORE.stream()
                .filter(type -> !type.getPackageName().startsWith(ROOT + ".compat"))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(method -> method.getRawParameterTypes().size() > MOST_ARGUMENTS)
                .map(method -> method.getFullName())
                .toList();
        assertThat(wide).isEmpty();
    }

    /**
     * What waited for what is computed anew in one place, but for simulated networks. Others build graphs of their own, or give other
     * durations. What runs kernels again is another matter.
     */
    @Test
    void onePlaceReplaysWhatWaitedForWhat() {
        List<String> replays = CORE.stream()
                .filter(type -> !layerOf(type).equals("replay"))
                .filter(type -> !type.getPackageName().startsWith(ROOT + ".goal.simulate"))
                .filter(type -> type.getSimpleName().endsWith("Replay")
                        || type.getSimpleName().endsWith("Replays"))
                .map(JavaClass::getName)
                .toList();
        assertThat(replays).containsExactly(ROOT + ".path.Scenarios$Replays");
        check(noClasses()
                .that()
                .resideOutsideOfPackage(in("path"))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(ROOT + ".path.DependencyGraph"));
    }

    @Test
    void nothingWritesToStandardStreams() {
        check(NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
        check(noClasses().should().callMethod(System.class, "exit", int.class));
    }

    @Test
    void nothingUsesTheCommonPool() {
        check(noClasses()
                .should()
                .callMethodWhere(calls("a stream or pool of unknown threads", Collection.class, "parallelStream")
                        .or(callsNamed("parallel", "java.util.stream"))
                        .or(callsNamed("commonPool", "java.util.concurrent"))
                        .or(callsNamed("parallelSort", "java.util"))));
    }

    @Test
    void resultsDoNotDependOnTheLocale() {
        check(noClasses().should().callMethod(Locale.class, "getDefault"));
    }

    @Test
    void nothingStaticChanges() {
        check(fields().that().areStatic().and(writtenByHand()).should().beFinal());
        check(noFields()
                .that()
                .areStatic()
                .should()
                .haveRawType(describe("a changeable type", ArchitectureTest::changes)));
    }

    private static void addAllBelow(String layer, Set<String> found) {
        for (String below : BUILDS_ON.getOrDefault(layer, Set.of())) {
            if (found.add(below)) {
                addAllBelow(below, found);
            }
        }
    }

    private static DescribedPredicate<JavaClass> allowed(Set<String> layers) {
        String[] packages = layers.stream().map(ArchitectureTest::in).toArray(String[]::new);
        return resideInAnyPackage(packages).or(not(resideInAPackage(ROOT + "..")));
    }

    private static String in(String layer) {
        return layer.equals(LIBRARY) ? ROOT : ROOT + "." + layer + "..";
    }

    private static String layerOf(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.", -1);
        return parts.length > 2 ? parts[2] : LIBRARY;
    }

    private static DescribedPredicate<JavaCall<?>> calls(String what, Class<?> owner, String name) {
        return describe(
                what,
                call -> call.getTarget().getName().equals(name)
                        && call.getTargetOwner().isAssignableTo(owner));
    }

    private static DescribedPredicate<JavaCall<?>> callsNamed(String name, String ownerPackage) {
        return describe(name + " of " + ownerPackage, call -> {
            AccessTarget target = call.getTarget();
            return target.getName().equals(name)
                    && target.getOwner().getPackageName().equals(ownerPackage);
        });
    }

    private static DescribedPredicate<JavaField> writtenByHand() {
        return describe("written by hand", field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC));
    }

    private static boolean changes(JavaClass type) {
        return CHANGEABLE_TYPES.contains(type.getName())
                || type.getPackageName().equals("java.util.concurrent.atomic")
                || type.getName().startsWith("java.util.concurrent.Concurrent");
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CORE);
    }
}
