// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.sql.QueryDatabase;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TextRowsTest {
    private static List<String> lines(int width, String query) throws IOException {
        StringWriter out = new StringWriter();
        try (QueryDatabase database = QueryDatabase.seeing(List.of());
                QueryAnswer rows = database.query(query)) {
            new TextRows(width, false).write(rows, out);
        }
        return out.toString().lines().toList();
    }

    @Test
    void theWidestTextsGiveWay() throws IOException {
        String query = "SELECT repeat('x', 30) AS a, 12345678901234567890 AS n, repeat('x', 30) AS b, 'short' AS c,"
                + " repeat('x', 13) AS d";

        assertThat(lines(76, query).getLast())
                .isEqualTo("xxxxxxxxxxxxxx…  12345678901234567890  xxxxxxxxxxxxxx…  short  xxxxxxxxxxxxx");
        assertThat(lines(75, query).getLast())
                .isEqualTo("xxxxxxxxxxxxx…  12345678901234567890  xxxxxxxxxxxxxx…  short  xxxxxxxxxxxxx");
        assertThat(lines(70, query).getLast())
                .isEqualTo("xxxxxxxxxxx…  12345678901234567890  xxxxxxxxxxx…  short  xxxxxxxxxxxxx");
        assertThat(lines(69, query).getLast())
                .isEqualTo("xxxxxxxxxxx…  12345678901234567890  xxxxxxxxxxx…  short  xxxxxxxxxxx…");
        assertThat(lines(1, query).getLast()).isEqualTo("xxxxxxx…  12345678901234567890  xxxxxxx…  short  xxxxxxx…");
        assertThat(lines(0, query).getLast()).hasSize(30 + 20 + 30 + 5 + 13 + 8);
    }

    @Test
    void aListOfNumbersIsCutAsATextIs() throws IOException {
        assertThat(lines(0, "SELECT list(range::DECIMAL(9, 1)) FROM range(5000)")
                        .getLast())
                .hasSize(1_000)
                .endsWith("…");
    }

    @Test
    @Timeout(60)
    void veryManyColumnsTakeNoLongerThanTheyAreWide() throws IOException {
        assertThat(lines(100, "SELECT " + "repeat('x', 1000) AS a, ".repeat(2_000) + "1 AS b")
                        .getLast())
                .hasSize(2_000 * (8 + 2) + 1);
    }
}
