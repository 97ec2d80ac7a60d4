// Checks Cairn's evidence with golang.org/x/mod/sumdb, and makes evidence for Cairn to check.
//
//	evidence verify DIR   reads what the test put there, stops at the first thing that is wrong
//	evidence make DIR N   writes a log of N entries: key, checkpoints, tiles, proofs, requests
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) >= 3 && os.Args[1] == "verify" {
		verify(os.Args[2])
	} else if len(os.Args) == 4 && os.Args[1] == "make" {
		size, err := strconv.ParseInt(os.Args[3], 10, 64)
		must(err)
		produce(os.Args[2], size)
	} else {
		log.Fatal("usage: evidence verify DIR | make DIR N")
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func read(path ...string) string {
	bytes, err := os.ReadFile(filepath.Join(path...))
	must(err)
	return string(bytes)
}

func write(text string, path ...string) {
	name := filepath.Join(path...)
	must(os.MkdirAll(filepath.Dir(name), 0o755))
	must(os.WriteFile(name, []byte(text), 0o644))
}

func hash(text string) tlog.Hash {
	hash, err := tlog.ParseHash(text)
	must(err)
	return hash
}

func hashes(texts []string) []tlog.Hash {
	result := []tlog.Hash{}
	for _, text := range texts {
		result = append(result, hash(text))
	}
	return result
}

// checkpoint opens a signed checkpoint and gives its tree.
func checkpoint(text, vkey string) tlog.Tree {
	verifier, err := note.NewVerifier(strings.TrimSpace(vkey))
	must(err)
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() {
		log.Fatal("the checkpoint is not origin, size and root of the key's log")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	return tlog.Tree{N: size, Hash: hash(lines[2])}
}

func verify(dir string) {
	tree := checkpoint(read(dir, "checkpoint"), read(dir, "vkey"))

	signer, err := note.NewSigner(strings.TrimSpace(read(dir, "signer.key")))
	must(err)
	text := strings.SplitAfter(read(dir, "checkpoint"), "\n\n")[0]
	signed, err := note.Sign(&note.Note{Text: text[:len(text)-1]}, signer)
	must(err)
	if string(signed) != read(dir, "checkpoint") {
		log.Fatal("the same key signs something else here")
	}

	lines := bufio.NewScanner(strings.NewReader(read(dir, "proofs.ndjson")))
	lines.Buffer(nil, 1<<20)
	count := 0
	for lines.Scan() {
		var proof struct {
			Leaf, LeafHash, RootHash, OldRoot, NewRoot string
			LeafIndex, TreeSize, OldSize, NewSize      int64
			Hashes                                     []string
		}
		must(json.Unmarshal(lines.Bytes(), &proof))
		if proof.NewRoot != "" {
			must(tlog.CheckTree(hashes(proof.Hashes), proof.NewSize, hash(proof.NewRoot),
				proof.OldSize, hash(proof.OldRoot)))
		} else {
			leaf, err := base64.StdEncoding.DecodeString(proof.Leaf)
			must(err)
			if tlog.RecordHash(leaf) != hash(proof.LeafHash) {
				log.Fatal("the leaf has another hash")
			}
			if proof.TreeSize == tree.N && hash(proof.RootHash) != tree.Hash {
				log.Fatal("the proof's root is not the checkpoint's")
			}
			must(tlog.CheckRecord(hashes(proof.Hashes), proof.TreeSize, hash(proof.RootHash),
				proof.LeafIndex, hash(proof.LeafHash)))
		}
		count++
	}

	// The reader checks every tile that it takes against the tree's root.
	reader := tlog.TileHashReader(tree, tiles{filepath.Join(dir, "tiles")})
	root, err := tlog.TreeHash(tree.N, reader)
	must(err)
	if root != tree.Hash {
		log.Fatal("the tiles have another root")
	}
	for index := int64(0); index < tree.N; index += 1 + tree.N/97 {
		proof, err := tlog.ProveRecord(tree.N, index, reader)
		must(err)
		leaf, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		must(err)
		must(tlog.CheckRecord(proof, tree.N, tree.Hash, index, leaf[0]))
	}
	fmt.Println(tree.N, count)
}

// tiles reads the tlog-tiles layout, whose paths leave the height of 8 out.
type tiles struct{ dir string }

func path(tile tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
}

func (tiles) Height() int                                { return 8 }
func (tiles) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range wanted {
		bytes, err := os.ReadFile(filepath.Join(t.dir, path(tile)))
		if err != nil {
			return nil, err
		}
		data = append(data, bytes)
	}
	return data, nil
}

// memory holds the hashes of a growing tree.
type memory []tlog.Hash

func (m memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var result []tlog.Hash
	for _, index := range indexes {
		result = append(result, m[index])
	}
	return result, nil
}

func produce(dir string, size int64) {
	skey, vkey, err := note.GenerateKey(nil, "example.com/go-log")
	must(err)
	signer, err := note.NewSigner(skey)
	must(err)
	write(vkey+"\n", dir, "vkey")

	var stored memory
	var entries [][]byte
	signed := map[int64]string{}
	for n := int64(0); n <= size; n++ {
		root, err := tlog.TreeHash(n, stored)
		must(err)
		text := fmt.Sprintf("%s\n%d\n%s\n", signer.Name(), n, root)
		message, err := note.Sign(&note.Note{Text: text}, signer)
		must(err)
		signed[n] = string(message)
		if n == size {
			break
		}
		entry := []byte(fmt.Sprintf("entry %d%s", n, strings.Repeat("!", int(n%7))))
		hashes, err := tlog.StoredHashes(n, entry, stored)
		must(err)
		stored = append(stored, hashes...)
		entries = append(entries, entry)
	}

	write(signed[size], dir, "tiles", "checkpoint")
	for _, tile := range tlog.NewTiles(8, 0, size) {
		data, err := tlog.ReadTileData(tile, stored)
		must(err)
		write(string(data), dir, "tiles", path(tile))
	}
	for first := int64(0); first < size; first += 256 {
		tile := tlog.Tile{H: 8, L: 0, N: first / 256, W: 256}
		if size-first < 256 {
			tile.W = int(size - first)
		}
		bundle := ""
		for _, entry := range entries[first : first+int64(tile.W)] {
			bundle += string([]byte{byte(len(entry) >> 8), byte(len(entry))}) + string(entry)
		}
		name := strings.Replace(path(tile), "tile/0/", "tile/entries/", 1)
		write(bundle, dir, "tiles", name)
	}

	for index := int64(0); index < size; index += 1 + size/20 {
		proof, err := tlog.ProveRecord(size, index, stored)
		must(err)
		text := "c2sp.org/tlog-proof@v1\n"
		text += "extra " + base64.StdEncoding.EncodeToString(entries[index]) + "\n"
		text += fmt.Sprintf("index %d\n", index)
		for _, hash := range proof {
			text += hash.String() + "\n"
		}
		write(text+"\n"+signed[size], dir, "proofs", fmt.Sprintf("%d.tlog-proof", index))
	}

	// Requests that a witness accepts one after the other.
	old := int64(0)
	for step, next := range []int64{1, 2, size / 2, size/2 + 1, size} {
		if next <= old {
			continue
		}
		text := fmt.Sprintf("old %d\n", old)
		if old > 0 {
			proof, err := tlog.ProveTree(next, old, stored)
			must(err)
			for _, hash := range proof {
				text += hash.String() + "\n"
			}
		}
		write(text+"\n"+signed[next], dir, "requests", fmt.Sprintf("%d", step))
		old = next
	}
}
