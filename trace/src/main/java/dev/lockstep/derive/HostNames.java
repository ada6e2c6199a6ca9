// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.error.FileNames;
import dev.lockstep.model.TraceInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The hosts on which traces were recorded, as they or their paths tell them. */
public final class HostNames {
    private static final Pattern IN_TEXT =
            Pattern.compile("\"(?:host_?name|host|node_?name)\"\\s*:\\s*\"([^\"]+)\"", Pattern.CASE_INSENSITIVE);

    /** What PyTorch's handler for TensorBoard calls a file: host, process, time. */
    private static final Pattern IN_FILE_NAME = Pattern.compile(
            "(?!.*(?:rank|worker)[-_]?\\d)(.+)_\\d{1,10}\\.\\d{10,19}\\.pt\\.trace\\.json(?:\\..+)?",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern DIRECTORY =
            Pattern.compile("(?:node|host)[-_]?\\d{1,6}|(?:node|host|hostname)=.+", Pattern.CASE_INSENSITIVE);

    private static final List<String> KEYS = List.of("hostname", "host_name", "host");
    private static final List<String> TEXTS = List.of("distributedInfo", "node");

    private HostNames() {}

    /**
     * The host of each trace, null where nothing tells it: a key of the trace, else the name of its file as PyTorch's
     * handler makes it, else a directory such as {@code node3}, if there are several of those.
     */
    public static List<@Nullable String> of(List<TraceInfo> traces) {
        List<@Nullable String> directories = new ArrayList<>();
        for (TraceInfo info : traces) {
            directories.add(directory(FileNames.path(info.source())));
        }
        boolean severalDirectories = new HashSet<>(directories).size() > 1;
        List<@Nullable String> hosts = new ArrayList<>();
        for (int i = 0; i < traces.size(); i++) {
            String told = told(traces.get(i));
            hosts.add(told != null || !severalDirectories ? told : directories.get(i));
        }
        return hosts;
    }

    /**
     * {@return the same facts, of the metadata only what tells the host} What else stands there grows with the ranks of the run:
     * each of ten thousand traces lists the members of all process groups.
     *
     * @param info of a trace
     */
    public static TraceInfo alone(TraceInfo info) {
        Map<String, String> kept = new TreeMap<>();
        for (String key : KEYS) {
            String text = info.metadata().get(key);
            if (text != null) {
                kept.put(key, text);
            }
        }
        for (String key : TEXTS) {
            Matcher inText = IN_TEXT.matcher(info.metadata().getOrDefault(key, ""));
            if (inText.find()) {
                kept.put(key, inText.group());
            }
        }
        return new TraceInfo(
                info.source(), info.format(), info.rank(), info.worldSize(), info.devices(), info.originNs(), kept);
    }

    private static @Nullable String told(TraceInfo info) {
        for (String key : KEYS) {
            String text = info.metadata().get(key);
            if (text != null && text.length() > 2) {
                return text;
            }
        }
        for (String key : TEXTS) {
            Matcher inText = IN_TEXT.matcher(info.metadata().getOrDefault(key, ""));
            if (inText.find()) {
                return inText.group(1);
            }
        }
        Path name = FileNames.path(info.source()).getFileName();
        Matcher inName = IN_FILE_NAME.matcher(
                Objects.requireNonNullElse(name, Path.of("")).toString());
        return inName.matches() ? inName.group(1) : null;
    }

    private static @Nullable String directory(Path source) {
        for (Path p = source.getParent(); p != null && p.getFileName() != null; p = p.getParent()) {
            String name = p.getFileName().toString();
            if (DIRECTORY.matcher(name).matches()) {
                return name;
            }
        }
        return null;
    }
}
