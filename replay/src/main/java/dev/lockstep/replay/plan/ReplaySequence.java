// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators to run in the order in which they were recorded, pass after pass: each finds the caches and the memory as
 * those before it leave them.
 *
 * @param operators each that occurs, once
 * @param order their ids, as one pass calls them
 * @param profile file for a trace of the profiler, instead of times; null for times
 */
public record ReplaySequence(
        List<PlannedOperator> operators,
        List<Integer> order,
        @Nullable String profile) {
    private static final JsonFactory JSON = Json.UNLIMITED;

    public ReplaySequence {
        operators = List.copyOf(operators);
        order = List.copyOf(order);
    }

    /** The operators of a result that ran, as a step calls them; one after the other where the plan has no order. */
    public static ReplaySequence of(ReplayResult result, @Nullable String profile) {
        List<PlannedOperator> ran = result.plan().operators().stream()
                .filter(operator -> result.runs().get(operator.id()).gap() == null)
                .toList();
        List<Integer> ids = ran.stream().map(PlannedOperator::id).toList();
        List<Integer> order =
                result.plan().order().isEmpty() ? ids : result.plan().order();
        boolean[] has = new boolean[result.runs().size()];
        ids.forEach(id -> has[id] = true);
        boolean[] called = new boolean[has.length];
        List<Integer> left = order.stream().filter(id -> has[id]).toList();
        left.forEach(id -> called[id] = true);
        return new ReplaySequence(ran.stream().filter(o -> called[o.id()]).toList(), left, profile);
    }

    /** As a JSON object on one line. */
    public String line() {
        return new JsonObject()
                .with("profile", profile)
                .with("order", order)
                .with(
                        "operators",
                        operators.stream().map(PlanFile::operatorLine).toList())
                .toString();
    }

    /** Reads what {@link #line} wrote. */
    public static ReplaySequence read(String line) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            List<Long> order;
            if (!(Json.read(parser) instanceof Members members)
                    || (order = ArgumentJson.longs(members.get("order"))) == null) {
                throw new IOException("expected a sequence");
            }
            List<PlannedOperator> operators = new ArrayList<>();
            for (Json item : members.items("operators")) {
                if (item instanceof Json.Text(String text)) {
                    operators.add(PlanFile.readOperator(text));
                }
            }
            return new ReplaySequence(
                    operators, order.stream().map(Math::toIntExact).toList(), members.text("profile"));
        }
    }
}
