// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.codec.Json;
import dev.lockstep.model.TraceInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The process groups that libraries of the host serve, as PyTorch lists groups at the top of a trace under {@code distributedInfo}.
 *
 * @param all of them, as listed
 * @param backend libraries of the run as a whole, empty when not recorded
 */
record HostGroups(List<Group> all, String backend) {
    /** Libraries that carry collectives out on the host. */
    static final List<String> LIBRARIES = List.of("gloo", "mpi");

    private static final HostGroups NONE = new HostGroups(List.of(), "");
    private static final String INFO = "distributedInfo";

    /**
     * A process group.
     *
     * @param name as collectives name it
     * @param backends libraries that serve it, as recorded: {@code gloo} or {@code cpu:gloo,cuda:nccl}
     * @param ranks its members as records of collectives write them, null when not recorded
     * @param size number of members, -1 when not recorded
     */
    record Group(String name, String backends, @Nullable String ranks, long size) {}

    HostGroups {
        all = List.copyOf(all);
    }

    /** What is listed; nothing of traces that name no such library, nor of those whose list cannot be read. */
    static HostGroups of(TraceInfo info) {
        String text = info.metadata().getOrDefault(INFO, "");
        if (libraries(text).isEmpty()) {
            return NONE;
        }
        try {
            return Json.parse(text) instanceof Json.Members top ? of(top) : NONE;
        } catch (IOException e) {
            return NONE;
        }
    }

    private static HostGroups of(Json.Members top) {
        String backend = Objects.requireNonNullElse(top.text("backend"), "");
        List<Group> groups = new ArrayList<>();
        for (Json item : top.items("pg_config")) {
            Json.Members one = item instanceof Json.Members members ? members : new Json.Members(Map.of());
            String name = one.text("pg_name");
            String backends = Objects.requireNonNullElse(one.text("backend_config"), backend);
            if (name != null && !libraries(backends).isEmpty()) {
                groups.add(new Group(name, backends, ranks(one.items("ranks")), one.whole("pg_size", -1)));
            }
        }
        return new HostGroups(groups, backend);
    }

    private static @Nullable String ranks(List<Json> listed) {
        return listed.isEmpty() || !listed.stream().allMatch(Json.Numeral.class::isInstance)
                ? null
                : listed.stream().map(rank -> ((Json.Numeral) rank).text()).collect(Collectors.joining(", ", "[", "]"));
    }

    private static List<String> libraries(String backends) {
        String lower = backends.toLowerCase(Locale.ROOT);
        return LIBRARIES.stream().filter(lower::contains).toList();
    }

    /** The library that carries out the collectives of a group, where nothing but a library of the host serves it; else null. */
    @Nullable
    String library(@Nullable String group) {
        String backends = all.stream()
                .filter(one -> one.name.equals(group))
                .map(Group::backends)
                .findFirst()
                .orElse(backend);
        List<String> parts = Arrays.stream(backends.toLowerCase(Locale.ROOT).split(","))
                .map(part -> part.substring(part.indexOf(':') + 1).strip())
                .distinct()
                .toList();
        return parts.size() == 1 && LIBRARIES.contains(parts.getFirst()) ? parts.getFirst() : null;
    }

    /** The group that a library serves, if it serves but one; else null. */
    @Nullable
    Group only(String library) {
        List<Group> served = all.stream()
                .filter(one -> libraries(one.backends).contains(library))
                .toList();
        return served.size() == 1 ? served.getFirst() : null;
    }
}
