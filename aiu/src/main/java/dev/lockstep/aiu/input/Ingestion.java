// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.RawJson;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.codec.EnvironmentJson;
import dev.lockstep.codec.JsonText;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.read.TraceInput;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Reads all files and gives their events in order of time, each with what its file says about it. */
public final class Ingestion {
    private static final double ZERO = 1e-9;

    /** @param loaded counts the heads; of equal times the one that was loaded last goes first */
    private record Head(AiuEvent event, TraceFile file, double ts, long loaded) {}

    private final AiuOptions options;
    private final AiuLog log;
    private final boolean verbatim;
    private final List<TraceFile> files = new ArrayList<>();
    private final List<String> logs = new ArrayList<>();
    private final TraceTexts texts = new TraceTexts();
    private HostProcesses hosts = HostProcesses.of(List.of());
    private long zeroWithCycles;
    private long events;
    private long loaded;

    public Ingestion(AiuOptions options, AiuLog log) {
        this.options = options;
        this.log = log;
        verbatim = options.get(AiuOption.VERIFY);
    }

    /**
     * Reads the files that the input names.
     *
     * @param others files by the names that stand for them
     * @param copy where a copy of the result goes; null for none
     */
    public void load(Map<String, Path> others, @Nullable Path copy) throws IOException {
        List<TraceInput> inputs = InputFiles.of(options.get(AiuOption.INPUT), others, log);
        log.info("Ingesting " + inputs.size() + " files.");
        if (inputs.isEmpty()) {
            log.error("No input files found.");
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    "no input files found for " + options.get(AiuOption.INPUT),
                    "-i takes files and patterns");
        }
        for (TraceInput input : inputs) {
            demandNoInput(input.path(), copy);
        }
        TraceFileReader reader = new TraceFileReader(texts, options, log);
        for (TraceInput input : inputs) {
            if (LogFile.is(input)) {
                logs.add(input.path().toString());
            } else {
                files.addAll(reader.read(files.size(), input));
            }
        }
        if (options.rules().files().ranksApart()) {
            hosts = HostProcesses.of(files);
        }
        if (options.rules().result().has(Addition.NO_ENVIRONMENT)) {
            files.forEach(file -> file.leaveOut(Ingestion::tellsEnvironment));
        }
        if (files.isEmpty()) {
            throw new UserException(
                    ErrorCode.FORMAT_UNKNOWN,
                    String.join(", ", logs) + ": a log, no trace",
                    "-c takes the log of a compiler. -i takes traces and their logs");
        }
    }

    private static boolean tellsEnvironment(AiuEvent event) {
        if (event.phase != 'M') {
            return false;
        }
        StringBuilder json = new StringBuilder("{\"name\":");
        JsonText.quote(event.name.text(), json);
        members(event.other, json.append(','));
        members(event.args, json.append("\"args\":{"));
        return EnvironmentJson.ofEvent(json.append("\"\":0}}").toString()).values() > 0;
    }

    /** Each with a comma behind it. */
    private static void members(@Nullable Args members, StringBuilder json) {
        for (int i = 0; members != null && i < members.size(); i++) {
            JsonText.quote(members.key(i), json);
            json.append(':');
            switch (members.value(i)) {
                case RawJson(String text) -> json.append(text);
                case Object value -> JsonText.quote(value.toString(), json);
            }
            json.append(',');
        }
    }

    /** What the first file of a rank says beside its events, as JSON; nothing where ranks are not told apart by files. */
    public Map<String, String> metadata(long rank) {
        Map<String, String> all = new LinkedHashMap<>();
        for (TraceFile file : files) {
            if (options.rules().files().ranksApart() && file.isTorch() && file.rank == rank && all.isEmpty()) {
                all.putAll(file.metadata);
                if (!file.distributed.isEmpty()) {
                    all.put("distributedInfo", file.distributed);
                }
            }
        }
        return all;
    }

    /** Logs among the inputs, in their order. */
    public List<String> logs() {
        return logs;
    }

    private void demandNoInput(Path input, @Nullable Path copy) throws IOException {
        if (copy != null) {
            Output.demandNoInput(copy, List.of(input));
        }
        if (options.get(AiuOption.WRITES_FILE)) {
            Output.demandNoInput(Path.of(options.target()), List.of(input));
        }
    }

    /** Members of the files that go into the result as they are, as JSON; later files replace what earlier ones had. */
    public Map<String, String> metadata() {
        Map<String, String> all = new LinkedHashMap<>();
        List<String> devices = new ArrayList<>();
        for (TraceFile file : files) {
            String own = file.metadata.getOrDefault("deviceProperties", "[{}]");
            all.putAll(file.metadata);
            String inner = own.strip();
            if (inner.startsWith("[") && inner.endsWith("]")) {
                inner = inner.substring(1, inner.length() - 1).strip();
            }
            if (!inner.isEmpty() && (inner.equals("{}") || !devices.contains(inner))) {
                devices.add(inner);
            }
        }
        all.put("deviceProperties", "[" + String.join(",", devices) + "]");
        return all;
    }

    /** Gives all events away. */
    public void run(Stage.Next next) {
        PriorityQueue<Head> heads = new PriorityQueue<>((a, b) -> {
            int order = Double.compare(a.ts, b.ts);
            return order != 0 ? order : Long.compare(b.loaded, a.loaded);
        });
        files.forEach(file -> load(heads, file));
        while (!heads.isEmpty()) {
            Head head = heads.remove();
            if (heads.isEmpty()) {
                runAlone(head, next);
                return;
            }
            load(heads, head.file);
            emit(head.event, next);
        }
    }

    private void runAlone(Head head, Stage.Next next) {
        TraceFile file = head.file;
        emit(head.event, next);
        for (AiuEvent event = file.next(); event != null; event = file.next()) {
            prepare(event, file);
            emit(event, next);
        }
    }

    private void load(PriorityQueue<Head> heads, TraceFile file) {
        AiuEvent event = file.next();
        if (event != null) {
            prepare(event, file);
            heads.add(new Head(event, file, Double.isNaN(event.ts) ? 0 : event.ts, loaded++));
        }
    }

    private void emit(AiuEvent event, Stage.Next next) {
        events++;
        if (event.dur <= ZERO && event.device != null && event.device.cycles[0] != event.device.cycles[4]) {
            zeroWithCycles++;
        }
        next.accept(event);
    }

    private void prepare(AiuEvent event, TraceFile file) {
        if (verbatim) {
            event.job = file.job;
            return;
        }
        if (file.isTorch() && options.rules().files().ranksApart()) {
            assign(event, file);
        }
        switch (event.phase) {
            case 'X', 'B', 'E' -> {
                annotate(event, file);
                identify(event);
                event.job = file.job;
            }
            case 'M', 'b', 'e', 'i' -> annotate(event, file);
            default -> {}
        }
    }

    /** Makes an event one of its file's rank: device, process of the host, and file of an arrow. */
    private void assign(AiuEvent event, TraceFile file) {
        event.worker = file.rank;
        switch (event.phase) {
            case 's', 't', 'f' -> event.job = file.job;
            default -> {}
        }
        if (event.other == null || !event.other.has("pid")) {
            event.pid = event.pid == 0 ? file.rank : hosts.process(event.pid, file.rank);
        }
    }

    /** Rank and device, as those who wrote the file have them. */
    private void annotate(AiuEvent event, TraceFile file) {
        boolean text = event.other != null && event.other.has("pid");
        if (!file.isTorch()) {
            annotateFlex(event, file, text);
            return;
        }
        if (!text && event.pid == 0) {
            event.pid = file.rank;
        }
        if (event.phase == 'M') {
            if (!text) {
                TorchMetadata.adjust(event, file.rank);
            }
            return;
        }
        if (!event.hasArgs && event.phase != 'X' && event.phase != 'B' && event.phase != 'E') {
            return;
        }
        event.rank = file.rank;
        if (event.args != null && event.args.has("device")) {
            event.args.put("device", (long) file.rank);
        }
    }

    private void annotateFlex(AiuEvent event, TraceFile file, boolean text) {
        if (text) {
            event.rank = file.rank == AiuEvent.NO_RANK ? 0 : file.rank;
            return;
        }
        if (file.rank == AiuEvent.NO_RANK) {
            file.rank = (int) event.pid;
        }
        long process = options.rules().files().process().of(event.pid, file.rank);
        event.rank = (int) process;
        if (process >= 0) {
            event.pid = process;
        }
    }

    /** Texts that stand for a process or thread get a number; the text is kept in the arguments. */
    private static void identify(AiuEvent event) {
        Args other = event.other;
        if (other == null) {
            return;
        }
        Object pid = other.remove("pid");
        if (pid != null) {
            event.put("opid", pid);
            event.pid = number(pid);
        }
        Object tid = other.remove("tid");
        if (tid != null) {
            event.put("otid", tid);
            event.tid = number(tid);
        }
    }

    private static long number(Object text) {
        String content = text instanceof RawJson raw ? raw.text() : text.toString();
        return 1_000_000_000L + (content.hashCode() & 0x3fffffff);
    }

    /** Says what was odd about the files. */
    public void finish() {
        if (zeroWithCycles > 0) {
            log.warn("Ingestion: ..level_multifile Detected " + zeroWithCycles
                    + " events with zero wallclock but nonzero HW time."
                    + " Indication of time calibration errors during trace capture.");
        }
        for (TraceFile file : files) {
            finish(file);
        }
    }

    private void finish(TraceFile file) {
        if (file.zeroDurations > 0) {
            String name = file.job.name();
            String end = name.substring(Math.max(0, name.length() - 15));
            log.warn("Ingestion: .." + end + " Detected 'CompleteEvent' type (ph=X) with zero duration."
                    + " This should be an 'InstantEvent' type (ph=i). Events: " + file.zeroDurations);
        }
        if (file.negativeDurations > 0) {
            log.warn("Ingestion: detected negative duration event(s). Events ignored:" + file.negativeDurations);
        }
        if (file.unmatched > 0) {
            log.warn("SLICE_EXTRACT: Has Open/Close events without matching partners: " + file.unmatched + " in "
                    + file.job.name());
        }
        if (file.damaged > 0) {
            log.warn("Ingestion: ignored " + file.damaged + " entries of " + file.job.name() + " that are no events");
        }
    }

    /** How many events were given away. */
    public long events() {
        return events;
    }

    /** Whether every entry of every file could be used. */
    public boolean isComplete() {
        return files.stream().allMatch(file -> file.unmatched == 0 && file.damaged == 0);
    }
}
