// Reads a log as Go does, with sumdb/note and sumdb/tlog: readlog VKEY DIRECTORY, which holds checkpoint and tile.
package main

import (
	"encoding/base64"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func read(path ...string) []byte {
	data, err := ioutil.ReadFile(filepath.Join(path...))
	must(err)
	return data
}

// files is a tlog.TileReader of a directory whose paths have no height.
type files string

func (files) Height() int                               { return 8 }
func (files) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (dir files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		all = append(all, read(string(dir), "tile", strings.TrimPrefix(tile.Path(), "tile/8/")))
	}
	return all, nil
}

func main() {
	dir := os.Args[2]
	verifier, err := note.NewVerifier(os.Args[1])
	must(err)
	opened, err := note.Open(read(dir, "checkpoint"), note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	raw, err := base64.StdEncoding.DecodeString(lines[2])
	must(err)
	var root tlog.Hash
	copy(root[:], raw)
	hashes := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, files(dir))
	computed, err := tlog.TreeHash(size, hashes)
	must(err)
	if computed != root {
		must(fmt.Errorf("the tiles have another root"))
	}
	for n := int64(0); n < size; {
		width := size - n
		name := fmt.Sprintf("%03d", n/256)
		if width < 256 {
			name += fmt.Sprintf(".p/%d", width)
		}
		for bundle := read(dir, "tile", "entries", name); len(bundle) > 0; n++ {
			length := int(bundle[0])<<8 | int(bundle[1])
			record := tlog.RecordHash(bundle[2 : 2+length])
			bundle = bundle[2+length:]
			proof, err := tlog.ProveRecord(size, n, hashes)
			must(err)
			must(tlog.CheckRecord(proof, size, root, n, record))
		}
	}
	for old := int64(1); old <= size; old += 97 {
		before, err := tlog.TreeHash(old, hashes)
		must(err)
		proof, err := tlog.ProveTree(size, old, hashes)
		must(err)
		must(tlog.CheckTree(proof, size, root, old, before))
	}
	fmt.Printf("%s: %d records\n", lines[0], size)
}
