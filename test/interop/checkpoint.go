// SPDX-License-Identifier: Apache-2.0

// Checks checkpoints and consistency proofs with golang.org/x/mod/sumdb, the code that signed notes come from. Nothing of
// Countersign is in it. Reads one JSON object from standard input and answers with another.
package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type proof struct {
	// The digests of a consistency proof in hexadecimal.
	Consistency []string `json:"consistency"`
	// The checkpoints that it leads from and to.
	From string `json:"from"`
	To   string `json:"to"`
}

type job struct {
	Vkey   string   `json:"vkey"`
	Notes  []string `json:"notes"`
	Proofs []proof  `json:"proofs"`
	// A key as note.NewSigner takes it, and texts to sign with it.
	Skey  string   `json:"skey"`
	Texts []string `json:"texts"`
}

type answer struct {
	// Why a note or a proof does not hold, empty where it does.
	Notes  []string `json:"notes"`
	Proofs []string `json:"proofs"`
	Signed []string `json:"signed"`
}

func open(text string, verifiers note.Verifiers) (size int64, root tlog.Hash, err error) {
	opened, err := note.Open([]byte(text), verifiers)
	if err != nil {
		return 0, root, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 {
		return 0, root, fmt.Errorf("no checkpoint")
	}
	if size, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return 0, root, err
	}
	raw, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(raw) != tlog.HashSize {
		return 0, root, fmt.Errorf("no root")
	}
	copy(root[:], raw)
	return size, root, nil
}

func check(one proof, verifiers note.Verifiers) error {
	from, fromRoot, err := open(one.From, verifiers)
	if err != nil {
		return err
	}
	to, toRoot, err := open(one.To, verifiers)
	if err != nil {
		return err
	}
	var path tlog.TreeProof
	for _, digest := range one.Consistency {
		raw, err := hex.DecodeString(digest)
		if err != nil || len(raw) != tlog.HashSize {
			return fmt.Errorf("no digest")
		}
		var hash tlog.Hash
		copy(hash[:], raw)
		path = append(path, hash)
	}
	return tlog.CheckTree(path, to, toRoot, from, fromRoot)
}

func sentence(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	var asked job
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fail(err)
	}
	verifier, err := note.NewVerifier(asked.Vkey)
	if err != nil {
		fail(err)
	}
	verifiers := note.VerifierList(verifier)
	given := answer{Notes: []string{}, Proofs: []string{}, Signed: []string{}}
	for _, text := range asked.Notes {
		_, _, err := open(text, verifiers)
		given.Notes = append(given.Notes, sentence(err))
	}
	for _, one := range asked.Proofs {
		given.Proofs = append(given.Proofs, sentence(check(one, verifiers)))
	}
	for _, text := range asked.Texts {
		signer, err := note.NewSigner(asked.Skey)
		if err != nil {
			fail(err)
		}
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		if err != nil {
			fail(err)
		}
		given.Signed = append(given.Signed, string(signed))
	}
	if err := json.NewEncoder(os.Stdout).Encode(given); err != nil {
		fail(err)
	}
}
