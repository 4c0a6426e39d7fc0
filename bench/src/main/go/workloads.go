package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The same sizes as on the other sides: see Size.java.
const (
	spawnCount     = 10_000
	spawnRounds    = 10
	switchTurns    = 50_000
	awaitCompleted = 1_000_000
	completedCount = 1024
	awaitPending   = 10_000
	crowdCount     = 10_000
	crowdTurns     = 10
	delayCount     = 100_000
	cancelCount    = 100_000
	scopeCount     = 100
	scopeChildren  = 1000
)

type workload struct {
	operations int
	batch      func(*meter)
}

var workloads = map[string]workload{
	"spawn-finish":     {spawnRounds * spawnCount, func(*meter) { repeated(spawnRounds, spawnCount) }},
	"switch":           {2 * switchTurns, func(*meter) { each(2, yields(switchTurns)) }},
	"await-completed":  {awaitCompleted, func(*meter) { receiveCompleted() }},
	"await-pending":    {2 * awaitPending, func(*meter) { receivePending() }},
	"suspend-10000x10": {crowdCount * crowdTurns, func(*meter) { each(crowdCount, yields(crowdTurns)) }},
	"delay-100000":     {delayCount, func(*meter) { each(delayCount, func() { time.Sleep(time.Millisecond) }) }},
	"cancel-100000":    {cancelCount, cancelParked},
	"scope-1000":       {scopeCount * scopeChildren, func(*meter) { repeated(scopeCount, scopeChildren) }},
}

// each starts so many goroutines, and waits for all of them.
func each(count int, body func()) {
	var ended sync.WaitGroup
	ended.Add(count)
	for i := 0; i < count; i++ {
		go func() {
			body()
			ended.Done()
		}()
	}
	ended.Wait()
}

func yields(times int) func() {
	return func() {
		for i := 0; i < times; i++ {
			runtime.Gosched()
		}
	}
}

func repeated(times, count int) {
	for i := 0; i < times; i++ {
		each(count, func() {})
	}
}

// A future is a channel; a completed one is closed.
func receiveCompleted() {
	done := futures(completedCount)
	for _, future := range done {
		close(future)
	}
	ended := 0
	for i := 0; i < awaitCompleted; i++ {
		if _, open := <-done[i%completedCount]; !open {
			ended++
		}
	}
	check("ended", ended, awaitCompleted)
}

// Each completes what the other waits for, and waits for the answer.
func receivePending() {
	questions := futures(awaitPending)
	answers := futures(awaitPending)
	go func() {
		for i := range questions {
			answers[i] <- <-questions[i]
		}
	}()
	sum := 0
	for i := range questions {
		questions[i] <- i
		sum += <-answers[i]
	}
	check("sum", sum, awaitPending*(awaitPending-1)/2)
}

func futures(count int) []chan int {
	all := make([]chan int, count)
	for i := range all {
		all[i] = make(chan int, 1)
	}
	return all
}

// Each goroutine has a channel of its own that tells it to end, as a context would.
func cancelParked(clock *meter) {
	clock.pause()
	cancels := make([]chan struct{}, cancelCount)
	var started atomic.Int64
	var ended sync.WaitGroup
	ended.Add(cancelCount)
	for i := range cancels {
		cancel := make(chan struct{})
		cancels[i] = cancel
		go func() {
			started.Add(1)
			<-cancel
			ended.Done()
		}()
	}
	for started.Load() < cancelCount {
		runtime.Gosched()
	}
	clock.resume()
	for _, cancel := range cancels {
		close(cancel)
	}
	ended.Wait()
}

func check(what string, actual, expected int) {
	if actual != expected {
		panic(fmt.Sprintf("%s should be %d, but is %d", what, expected, actual))
	}
}
