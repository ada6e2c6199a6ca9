// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.codec.Json;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.ActivityTypeSet;
import org.bytedeco.pytorch.ExperimentalConfig;
import org.bytedeco.pytorch.ProfilerConfig;
import org.bytedeco.pytorch.global.torch;

/**
 * The framework's profiler and its observer of execution traces. The bindings lack the calls that start and stop them, so
 * they are made by the names under which the library exports them. Their arguments are laid out as GCC's standard library
 * for x86-64 does: all that depends on one build of the library is in this class, and {@link #isAvailable} asks first.
 */
final class Profiler implements AutoCloseable {
    private static final String ENABLE =
            "_ZN5torch8autograd8profiler14enableProfilerERKNS_8profiler4impl14ProfilerConfigERKSt3setINS"
                    + "3_12ActivityTypeESt4lessIS8_ESaIS8_EERKSt13unordered_setIN2at11RecordScopeESt4hashISH_ESt8equal_toISH_ESaISH_EE";
    private static final String DISABLE = "_ZN5torch8autograd8profiler15disableProfilerEv";
    private static final String SAVE =
            "_ZN5torch8autograd8profiler14ProfilerResult4saveERKNSt7__cxx1112basic_stringIcSt11char_tr"
                    + "aitsIcESaIcEEE";
    private static final String FORGET = "_ZN5torch8autograd8profiler14ProfilerResultD1Ev";
    private static final String ADD_OBSERVER =
            "_ZN5torch8profiler4impl25addExecutionTraceObserverERKNSt7__cxx1112basic_strin"
                    + "gIcSt11char_traitsIcESaIcEEE";
    private static final String ENABLE_OBSERVER = "_ZN5torch8profiler4impl28enableExecutionTraceObserverEv";
    private static final String DISABLE_OBSERVER = "_ZN5torch8profiler4impl29disableExecutionTraceObserverEv";
    private static final String REMOVE_OBSERVER = "_ZN5torch8profiler4impl28removeExecutionTraceObserverEv";

    /** With {@link #NONE}: do without the profiler. */
    private static final String SWITCH = "LOCKSTEP_PROFILER";

    private static final String NONE = "none";

    private static final long SET_BYTES = 56;
    private static final long SET_BUCKET_COUNT = 8;
    private static final long SET_LOAD_FACTOR = 32;
    private static final long SET_ONLY_BUCKET = 48;
    private static final long STRING_BYTES = 32;

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup library = SymbolLookup.loaderLookup();

    /** Whether this build of the library has all the calls. */
    static boolean isAvailable() {
        if (NONE.equals(System.getenv(SWITCH))) {
            return false;
        }
        SymbolLookup library = SymbolLookup.loaderLookup();
        return System.getProperty("os.arch").equals("amd64")
                && java.util.stream.Stream.of(
                                ENABLE,
                                DISABLE,
                                SAVE,
                                FORGET,
                                ADD_OBSERVER,
                                ENABLE_OBSERVER,
                                DISABLE_OBSERVER,
                                REMOVE_OBSERVER)
                        .allMatch(name -> library.find(name).isPresent());
    }

    /** Starts to record host operators with their inputs. */
    void start() {
        ProfilerConfig config = new ProfilerConfig(
                torch.ProfilerState.KINETO.value, true, false, false, false, false, new ExperimentalConfig(), "");
        ActivityTypeSet activities = new ActivityTypeSet();
        activities.insert(torch.ActivityType.CPU);
        if (torch.hasCUDA()) {
            activities.insert(torch.ActivityType.CUDA);
        }
        torch.prepareProfiler(config, activities);
        call(ENABLE, address(config), address(activities), emptySet());
    }

    /**
     * Stops, and writes what was recorded.
     *
     * @throws IOException when it could not be written as a whole, which the framework does not say
     */
    void stop(Path file) throws IOException {
        MemorySegment result = arena.allocate(ValueLayout.ADDRESS);
        call(DISABLE, result);
        call(SAVE, result.get(ValueLayout.ADDRESS, 0), text(file.toString()));
        call(FORGET, result.get(ValueLayout.ADDRESS, 0)); // but for the few bytes of the object itself
        demandWhole(file);
    }

    /** Starts to write an execution trace. */
    void startExecutionTrace(Path file) {
        call(ADD_OBSERVER, text(file.toString()));
        call(ENABLE_OBSERVER);
    }

    /**
     * Finishes the execution trace.
     *
     * @throws IOException when it could not be written as a whole
     */
    void stopExecutionTrace(Path file) throws IOException {
        call(DISABLE_OBSERVER);
        call(REMOVE_OBSERVER);
        demandWhole(file);
    }

    /** The framework says nothing of what it could not write. */
    private static void demandWhole(Path file) throws IOException {
        if (!Files.exists(file) || !Json.isWhole(file)) {
            throw new IOException("the profiler could not write all of its trace; is there room on the disk?");
        }
    }

    private static MemorySegment address(Pointer pointer) {
        return MemorySegment.ofAddress(pointer.address());
    }

    private MemorySegment emptySet() {
        MemorySegment set = arena.allocate(SET_BYTES, Long.BYTES);
        set.set(ValueLayout.ADDRESS, 0, set.asSlice(SET_ONLY_BUCKET));
        set.set(ValueLayout.JAVA_LONG, SET_BUCKET_COUNT, 1);
        set.set(ValueLayout.JAVA_FLOAT, SET_LOAD_FACTOR, 1);
        return set;
    }

    private MemorySegment text(String text) {
        MemorySegment bytes = arena.allocateFrom(text, StandardCharsets.UTF_8);
        MemorySegment string = arena.allocate(STRING_BYTES, Long.BYTES);
        string.set(ValueLayout.ADDRESS, 0, bytes);
        string.set(ValueLayout.JAVA_LONG, Long.BYTES, bytes.byteSize() - 1);
        string.set(ValueLayout.JAVA_LONG, 2 * Long.BYTES, bytes.byteSize() - 1);
        return string;
    }

    @SuppressWarnings("restricted") // the launcher allows native access
    private void call(String name, MemorySegment... arguments) {
        ValueLayout[] layouts = new ValueLayout[arguments.length];
        java.util.Arrays.fill(layouts, ValueLayout.ADDRESS);
        MethodHandle function = Linker.nativeLinker()
                .downcallHandle(library.find(name).orElseThrow(), FunctionDescriptor.ofVoid(layouts));
        try {
            function.invokeWithArguments((Object[]) arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("the profiler failed", e);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
