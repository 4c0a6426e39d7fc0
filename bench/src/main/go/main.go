// Goroutines as a peer of the coroutine and memory suites, on one processor.
//
// Obeys lines on standard input, answers each with one line, and ends when the input does:
//
//	version                 ->  ok go1.19.8
//	run NAME MILLIS         ->  ok WALL_NANOS_PER_OP CPU_NANOS_PER_OP OPERATIONS
//	run parked-COUNT 0      ->  ok BYTES NaN COUNT    heap and stack of each parked goroutine
//	run parked-COUNT-rss 0  ->  the same, as the operating system sees it
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func main() {
	runtime.GOMAXPROCS(1)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer, err := obey(strings.Fields(lines.Text()))
		if err != nil {
			fmt.Println("error", err)
		} else {
			fmt.Println("ok", answer)
		}
	}
}

func obey(words []string) (string, error) {
	if len(words) == 1 && words[0] == "version" {
		return runtime.Version(), nil
	}
	if len(words) != 3 || words[0] != "run" {
		return "", fmt.Errorf("not understood: %s", strings.Join(words, " "))
	}
	if strings.HasPrefix(words[1], "parked-") {
		return parked(strings.TrimPrefix(words[1], "parked-"))
	}
	millis, err := strconv.Atoi(words[2])
	if err != nil {
		return "", err
	}
	found, ok := workloads[words[1]]
	if !ok {
		return "", fmt.Errorf("no workload is called %q", words[1])
	}
	return run(found, time.Duration(millis)*time.Millisecond), nil
}

func run(work workload, atLeast time.Duration) string {
	operations := 0
	var clock meter
	clock.resume()
	for {
		work.batch(&clock)
		operations += work.operations
		clock.pause()
		if clock.wall >= atLeast {
			break
		}
		clock.resume()
	}
	return fmt.Sprintf("%.4f %.4f %d",
		float64(clock.wall)/float64(operations),
		float64(clock.cpu)/float64(operations),
		operations)
}
