// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Asks datasets by Spark: {@code Answers QUERY-FILE DIR...}. Rows go to standard output, DIR in front, with tabs between cells. */
final class Answers {
    public static void main(String... arguments) throws Exception {
        String query = Files.readString(Path.of(arguments[0]));
        try (SparkSession spark = SparkSession.builder()
                .master("local[1]")
                .config("spark.ui.enabled", false)
                .config("spark.sql.shuffle.partitions", 1)
                .getOrCreate()) {
            for (String dataset : List.of(arguments).subList(1, arguments.length)) {
                for (String table : List.of("slices", "collectives", "ops", "kernels")) {
                    spark.read().parquet(Path.of(dataset, table).toString()).createOrReplaceTempView(table);
                }
                for (Row row : spark.sql(query).collectAsList()) {
                    System.out.println(dataset + "\t" + row.mkString("\t"));
                }
            }
        }
    }
}
