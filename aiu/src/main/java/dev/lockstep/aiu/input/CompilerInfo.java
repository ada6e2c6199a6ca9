// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.error.NamedFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a compiler said about a model: tables of ideal cycles, from its log or from a folder with a file per kernel. */
public final class CompilerInfo {
    private static final Pattern PHASE = Pattern.compile("\\s++(DECODING|PREFILL)\\s++");
    private static final Pattern ROW = Pattern.compile("([A-Za-z0-9_-]+) +([0-9]{1,18}) *");
    private static final String EXEC = " Cmpt Exec";

    private final AiuLog log;
    private final List<IdealTable> tables = new ArrayList<>();
    private boolean autopilot;
    private int found;

    private CompilerInfo(AiuLog log) {
        this.log = log;
    }

    /** Reads a log or folder; what cannot be read is said, and has no tables. */
    public static CompilerInfo read(String path, AiuLog log) {
        CompilerInfo info = new CompilerInfo(log);
        try {
            Path at = Path.of(path);
            if (Files.isDirectory(at)) {
                info.readFolder(at.resolve("inductor-spyre"));
            } else {
                info.readLog(at);
            }
        } catch (IOException e) {
            log.error("UTL: Unable to open/parse log file. " + path);
        }
        return info;
    }

    public List<IdealTable> tables() {
        return tables;
    }

    /** Tables that were met, those that are alike counted each. */
    public int found() {
        return found;
    }

    /** Whether the compiler chose by itself how kernels are fused, so that only the total is known. */
    public boolean isAutopilot() {
        return autopilot;
    }

    private void readLog(Path path) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(NamedFiles.in(path), StandardCharsets.UTF_8))) {
            String phase = "UNKN";
            IdealTable table = null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher mode = PHASE.matcher(line + "\n");
                if (line.contains("DSM-AutoPilot BEGIN")) {
                    startAutopilot();
                } else if (line.contains("Ideal Clock Scaling:")) {
                    log.warn("UTL: Found obsolete 'Ideal Cycle Scaling' setting in logfile. This setting is ignored."
                            + " Use '--freq=<soc>:<core>'.");
                } else if (mode.matches()) {
                    phase = mode.group(1).equals("PREFILL") ? "TTFT" : "ITL";
                } else if (line.contains(" Ideal/Total Cycles ")) {
                    table = new IdealTable(phase);
                    found++;
                } else if (table != null && line.contains("====== Perf Summary End ======")) {
                    finish(table);
                    table = null;
                } else if (table != null) {
                    row(table, line);
                }
            }
        }
    }

    private void startAutopilot() {
        if (!autopilot) {
            log.warn("UTL: Detected autopilot=on. Event categorization, cycles table matching and other"
                    + " utilization-related data might be unreliable.");
        }
        autopilot = true;
    }

    private void row(IdealTable table, String line) {
        Matcher row = ROW.matcher(line);
        if (!row.matches() || line.contains("Precompute") || line.contains("-LxPreload")) {
            return;
        }
        String name = row.group(1);
        String category = "Total";
        int mark = name.indexOf("-opCat");
        if (mark >= 0) {
            category = name.substring(mark + "-opCat".length());
            name = name.substring(0, mark);
        } else if (name.endsWith("-NA")) {
            category = "NotAvailable";
            name = name.substring(0, name.length() - 3);
        }
        if (!name.isEmpty()) {
            add(table, name, category, Long.parseLong(row.group(2)));
        }
    }

    private void add(IdealTable table, String kernel, String category, long cycles) {
        String problem = table.add(kernel + EXEC, category, cycles);
        if (!problem.isEmpty()) {
            log.warn(problem);
        }
    }

    private void finish(IdealTable table) {
        if (tables.stream().anyMatch(table::isLike)) {
            log.warn("UTL: Fingerprint of current table already exists for previous table. Duplicated tables?"
                    + " Keeping the previous table only");
            return;
        }
        tables.add(table);
        log.info("UTL: Adding ideal cycles table (" + table.phase() + ") with " + table.rows() + " rows");
    }

    private void readFolder(Path base) throws IOException {
        IdealTable table = new IdealTable("UNKN");
        found++;
        List<Path> kernels;
        try (Stream<Path> entries = Files.list(base)) {
            kernels = entries.filter(Files::isDirectory).sorted().toList();
        }
        for (Path kernel : kernels) {
            Path file = kernel.resolve("perf/ideal_cycles.json");
            Path name = kernel.getFileName();
            if (name != null && Files.isRegularFile(file)) {
                entries(table, name.toString(), file);
            }
        }
        finish(table);
    }

    private void entries(IdealTable table, String kernel, Path file) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(NamedFiles.text(file))) {
            if (json.nextToken() != JsonToken.START_ARRAY) {
                return;
            }
            while (json.nextToken() == JsonToken.START_OBJECT) {
                entry(table, kernel, json);
            }
        }
    }

    private void entry(IdealTable table, String kernel, JsonParser json) throws IOException {
        long cycles = 0;
        @Nullable String category = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String key = json.currentName();
            JsonToken value = json.nextToken();
            if (key.equals("ideal_cycles") && value.isNumeric()) {
                cycles = (long) json.getDoubleValue();
            } else if (key.equals("op_category")) {
                category = json.getText();
            } else {
                json.skipChildren();
            }
        }
        table.add(kernel + EXEC, category == null ? "NotAvailable" : category, cycles);
    }
}
