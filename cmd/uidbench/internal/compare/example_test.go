package compare_test

import (
	"fmt"
	"os"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/compare"
)

func Example() {
	report, err := compareFiles("testdata/old.txt", "testdata/new.txt")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := compare.WriteText(os.Stdout, report); err != nil {
		fmt.Println(err)
	}
	fmt.Println()
	fmt.Println(compare.Limit{Percent: 5, Units: []string{"ids/s"}}.Check(report))
	// Output:
	// old: testdata/old.txt
	// new: testdata/new.txt
	//
	// Take-8
	//              old            new            change
	//   ns/op      10.3 ns ± 2%   11.3 ns ± 2%   +9.71% worse (p=0.000 n=10)
	//   ids/s      97.1 M/s ± 2%  88.5 M/s ± 2%  -8.86% worse (p=0.000 n=10)
	//   B/op       0B ± 0%        0B ± 0%        equal (n=10)
	//   allocs/op  0 ± 0%         0 ± 0%         equal (n=10)
	//
	// Batch/n=1024-8
	//          old          new          change
	//   ns/op  458 ns ± 3%  457 ns ± 2%  ~ (p=1.000 n=6+8)
	//   hits   6 ± 17%      10.5 ± 14%   +75.00% (p=0.001 n=6+8)
	//
	// Tail-8
	//           old         new         change
	//   p99-ns  710 ns ± ∞  910 ns ± ∞  ~ too few samples (n=3)
	//
	// only in testdata/old.txt: Gone-8
	// only in testdata/new.txt: Fresh-8
	// ± ∞: a confidence of 0.95 needs 6 samples
	// too few samples: a difference needs 4 in each at alpha 0.05; put several runs in each file
	//
	// threshold missed: ids/s of Take-8 is worse by 8.86%, more than 5%: 97.1 M/s in testdata/old.txt, 88.5 M/s in testdata/new.txt (p=0.000 n=10)
}

func compareFiles(before, after string) (compare.Report, error) {
	o, err := readFile(before)
	if err != nil {
		return compare.Report{}, err
	}
	n, err := readFile(after)
	if err != nil {
		return compare.Report{}, err
	}
	return compare.Compare(o, n, compare.Options{})
}

func readFile(name string) (compare.Results, error) {
	file, err := os.Open(name)
	if err != nil {
		return compare.Results{}, err
	}
	defer file.Close()
	return compare.Read(file, name)
}
