package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// parked says how many bytes a goroutine takes that waits for a channel to be closed.
func parked(spec string) (string, error) {
	used := heapAndStacks
	if strings.HasSuffix(spec, "-rss") {
		used = resident
		spec = strings.TrimSuffix(spec, "-rss")
	}
	count, err := strconv.Atoi(spec)
	if err != nil {
		return "", err
	}
	before, err := used()
	if err != nil {
		return "", err
	}
	gate := make(chan struct{})
	var started atomic.Int64
	var ended sync.WaitGroup
	ended.Add(count)
	for i := 0; i < count; i++ {
		go func() {
			started.Add(1)
			<-gate
			ended.Done()
		}()
	}
	for started.Load() < int64(count) {
		runtime.Gosched()
	}
	after, err := used()
	close(gate)
	ended.Wait()
	return fmt.Sprintf("%.4f NaN %d", float64(after-before)/float64(count), count), err
}

func heapAndStacks() (int64, error) {
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse), nil
}

func resident() (int64, error) {
	runtime.GC()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			return kib * 1024, err
		}
	}
	return 0, fmt.Errorf("no VmRSS in /proc/self/status")
}
