// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long readers take for files in which nothing but damage follows a sound beginning, for each way in which they recover.
 * Twice the megabytes should take twice the time.
 *
 * <p>{@code ./lockstep-bench Recovery}, {@code ./lockstep-bench -p damage=UNCLOSED -p megabytes=32 Recovery}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class RecoveryBenchmark {
    private static final String SOUND = "{'traceEvents':[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':1}";
    private static final String EVENT = ",{'ph':'X','name':'k','pid':1,'tid':1,'ts':1,'dur':1";
    private static final String FLEX = "[{'attr':{'TS1':'1','TS2':'2','TS3':'3','TS4':'4','TS5':'5'},'name':'a Cmpt"
            + " Exec','ph':'X','pid':0,'tid':1,'ts':1,'dur':2}";

    /** What is repeated, behind what. */
    public enum Damage {
        /** Arguments that are never closed. */
        UNCLOSED(SOUND, EVENT + ",'args':{'a':[1,{'b':2}"),
        /** The same behind a name with quotes in it, so that the event is read twice. */
        QUOTES(SOUND, ",{'ph':'X','name':'k'k'','pid':1,'tid':1,'ts':1,'dur':1,'args':{'a':[1,{'b':2}"),
        /** Texts that are never closed. */
        TEXTS(SOUND, ",{'ph':'X','name':'k"),
        /** Objects without a phase, of which none is an event. */
        NO_PHASE(SOUND, ",{'id':["),
        /** Events without a value. */
        NO_VALUE(SOUND, ",{'ph':'X','ts':}"),
        /** Brackets that open. */
        BRACKETS(SOUND, ",["),
        /** Brackets that close what was never open. */
        CLOSED(SOUND, EVENT + "}}]}"),
        /** Commas and nothing between them. */
        COMMAS(SOUND, ",,,,,,,,"),
        /** Comments. */
        COMMENTS(SOUND, EVENT + "} /* { [ */ // {\n"),
        /** Bytes that no text may hold, and escapes that there are none of. */
        BYTES(SOUND, EVENT + ",'args':{'a':'\u0001\u00ff\u00c3\\\\x\\\\ud800'}}"),
        /** Zeros. */
        ZEROS(SOUND, "\0\0\0\0\0\0\0\0"),
        /** One document behind the other. */
        DOCUMENTS(SOUND + "]}", SOUND + "]}"),
        /** The list of events again and again. */
        LISTS(SOUND, "],'traceEvents':[{'ph':'X','name':'a','pid':1,'tid':1,'ts':1,'dur':1}"),
        /** Events that begin and never end. */
        BEGINS(SOUND, ",{'ph':'B','name':'k','pid':1,'tid':1,'ts':1}"),
        /** Events that end and never began. */
        ENDS(SOUND, ",{'ph':'E','name':'k','pid':1,'tid':1,'ts':1}"),
        /** Calls and kernels of one correlation, at one time, with one arrow. */
        SHARED(
                SOUND,
                ",{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,'ts':1,'dur':1,'args':{'correlation':1}}"
                        + ",{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':1,'dur':1,'args':{'correlation':1,'stream':7}}"
                        + ",{'ph':'s','cat':'ac2g','name':'ac2g','id':1,'pid':1,'tid':1,'ts':1}"),
        /** FLEX: arguments that are never closed. */
        FLEX_UNCLOSED(FLEX, ",{'ph':'X','name':'k','pid':0,'tid':1,'ts':1,'dur':1,'attr':{'TS1':['1',{'a':2}"),
        /** FLEX: events that begin and never end. */
        FLEX_BEGINS(FLEX, ",{'ph':'B','name':'k','pid':0,'tid':1,'ts':1,'attr':{'TS1':'1'}}"),
        /** A gzip member for each event. */
        MEMBERS(SOUND, EVENT + "}"),
        /** The same with a wrong checksum. */
        CHECKSUMS(SOUND, EVENT + "}"),
        /** Packets of Perfetto that are longer inside than outside. */
        PACKETS("\n\u0002\u0040\u0001".repeat(8), "\n\u0006\u0040\u0001\u005a\u00ff\u00ff\u0003");

        private final String head;
        private final String repeated;

        Damage(String head, String repeated) {
            this.head = head.replace('\'', '"');
            this.repeated = repeated.replace('\'', '"');
        }

        private boolean isPacked() {
            return this == MEMBERS || this == CHECKSUMS;
        }

        private byte[] bytes(int size) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream(size);
            out.write(isPacked() ? packed(head) : head.getBytes(ISO_8859_1));
            byte[] unit = isPacked() ? packed(repeated) : repeated.getBytes(ISO_8859_1);
            if (this == CHECKSUMS) {
                unit[unit.length - Long.BYTES]++;
            }
            while (out.size() < size) {
                out.write(unit);
            }
            return out.toByteArray();
        }

        private static byte[] packed(String text) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(text.getBytes(ISO_8859_1));
            }
            return out.toByteArray();
        }
    }

    @Param
    private Damage damage = Damage.UNCLOSED;

    @Param({"1", "2", "4"})
    private int megabytes = 1;

    private Path file = Path.of("");

    @Setup
    public void prepare() throws IOException {
        file = Files.createTempFile("damaged", damage.isPacked() ? ".json.gz" : ".json");
        Files.write(file, damage.bytes(megabytes << 20));
        if (read().isEmpty()) {
            throw new IllegalStateException(damage + " leaves nothing to read");
        }
    }

    @TearDown
    public void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    @Benchmark
    public List<Trace> read() throws IOException {
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {});
        }
    }
}
