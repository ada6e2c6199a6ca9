// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.Json;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells queries that read from everything else that SQL can do, by the tree that DuckDB's own parser makes of them. That a
 * database sees few files does not suffice: what it may read it may also write, and {@code WITH x AS (COPY … TO …) SELECT 1}
 * is a query, too. Functions that run what they are given as a text or a tree are looked into, or refused.
 */
final class ReadOnlyQuery {
    private static final Pattern EXPLAIN = Pattern.compile("(?is)\\s*explain\\s+(analyze\\s+)?");
    private static final Set<String> READING =
            Set.of("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE");

    /** Functions that plan a text or run a tree, or make and register what others run; what these do cannot be seen. */
    private static final Pattern UNSEEN =
            Pattern.compile("json_execute_serialized_sql|json_serialize_plan|.*external_resource.*");

    /** The function that runs a text as a query. */
    private static final String QUERY = "query";

    /** Of the tree. What is much deeper ends the process: DuckDB plans queries by recursion. */
    private static final int DEEPEST = 1000;

    private static final String TAKEN =
            "Taken are SELECT, WITH, FROM, VALUES, DESCRIBE, SUMMARIZE, SHOW TABLES and EXPLAIN of these; the values"
                    + " of a PIVOT must be named: PIVOT t ON x IN (1, 2) USING sum(y).";

    private ReadOnlyQuery() {}

    /**
     * Checks that a text is one query that reads.
     *
     * @return whether it asks for the plan of a query
     * @throws UserException when it is not, with the place
     */
    static boolean check(Connection connection, String text) throws SQLException {
        Matcher explain = EXPLAIN.matcher(text);
        boolean explained = explain.lookingAt();
        int skipped = explained ? explain.end() : 0;
        Json.Members tree = tree(connection, text.substring(skipped));
        if (tree.get("error") instanceof Json.Truth(boolean wrong) && wrong) {
            DuckError error = DuckError.of(tree, "error_type", "error_message");
            if (error.kind().equals("not implemented")) {
                throw refused();
            }
            int bytes = text.substring(0, skipped).getBytes(StandardCharsets.UTF_8).length;
            throw QueryDatabase.failed(error.behind(bytes), text);
        }
        int statements = tree.items("statements").size();
        if (statements != 1) {
            throw statements == 0
                    ? new UserException(ErrorCode.OPTION_INVALID, "the query is empty", "See which tables there are.")
                            .about("tables to ask")
                    : new UserException(
                            ErrorCode.OPTION_INVALID, "these are " + statements + " queries", "Give one at a time.");
        }
        if (!isReading(connection, tree)) {
            throw refused();
        }
        return explained;
    }

    private static UserException refused() {
        return new UserException(
                ErrorCode.OPTION_INVALID,
                "this is no query, or one that would change something: data are only read",
                TAKEN);
    }

    private static Json.Members tree(Connection connection, String text) throws SQLException {
        try (PreparedStatement parse = connection.prepareStatement("SELECT json_serialize_sql(?)")) {
            parse.setString(1, text);
            try (ResultSet row = parse.executeQuery()) {
                row.next();
                if (Json.parse(row.getString(1)) instanceof Json.Members tree) {
                    return tree;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("a parsed query is an object");
    }

    private static boolean isReading(Connection connection, Json tree) throws SQLException {
        List<Json> level = List.of(tree);
        for (int depth = 0; !level.isEmpty(); depth++) {
            if (depth > DEEPEST) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID, "the query is nested too deeply", "Split it by WITH into parts.");
            }
            List<Json> below = new ArrayList<>();
            for (Json value : level) {
                switch (value) {
                    case Json.Members object -> {
                        String type = object.text("type");
                        if (type != null && type.endsWith("_NODE") && !READING.contains(type)) {
                            return false;
                        }
                        String function = function(object);
                        if (UNSEEN.matcher(function).matches()) {
                            return false;
                        }
                        if (function.equals(QUERY)) {
                            below.add(inner(connection, object));
                        }
                        below.addAll(object.members().values());
                    }
                    case Json.Items array -> below.addAll(array.items());
                    case Json.Text text -> {}
                    case Json.Numeral number -> {}
                    case Json.Truth truth -> {}
                    case Json.Nothing nothing -> {}
                }
            }
            level = below;
        }
        return true;
    }

    /** The name of the function that a part of a tree calls; empty for other parts. */
    private static String function(Json.Members part) {
        String name = part.text("function_name");
        return name == null ? "" : name.toLowerCase(Locale.ROOT);
    }

    /** The tree of the text that {@code query('…')} runs; it must stand there as it is. */
    private static Json.Members inner(Connection connection, Json.Members call) throws SQLException {
        List<Json> arguments = call.items("arguments");
        if (arguments.size() == 1
                && arguments.getFirst() instanceof Json.Members argument
                && argument.get("expression") instanceof Json.Members expression
                && expression.get("literal") instanceof Json.Members literal) {
            String text = literal.text("text");
            Json.Members tree = text == null ? null : tree(connection, text);
            if (tree != null && !"not implemented".equalsIgnoreCase(tree.text("error_type"))) {
                return tree;
            }
        }
        throw refused();
    }
}
