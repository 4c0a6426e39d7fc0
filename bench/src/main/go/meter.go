package main

import (
	"syscall"
	"time"
)

// meter is the wall clock and the CPU clock of the process; it can be paused.
type meter struct {
	wall, cpu time.Duration
	wallSince time.Time
	cpuSince  time.Duration
}

func (m *meter) resume() {
	m.cpuSince = processCpu()
	m.wallSince = time.Now()
}

func (m *meter) pause() {
	m.wall += time.Since(m.wallSince)
	m.cpu += processCpu() - m.cpuSince
}

func processCpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
