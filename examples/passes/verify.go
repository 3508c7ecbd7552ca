// Verifies a team pass: verify PUBLIC_KEY EVENT_ID CHALLENGE_ID PASS prints the team's handle.
package main

import "crypto/ed25519"
import "encoding/base64"
import "os"
import "strings"

func handleOf(publicKey, event, challenge, pass string) (string, bool) {
	parts := strings.Split(pass, ".")
	key, err := base64.RawURLEncoding.DecodeString(publicKey)
	if err != nil || len(key) != 32 || len(parts) != 3 || parts[0] != "fp1" || len(parts[2]) != 86 {
		return "", false
	}
	signature, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	signed := "flagship-pass:1\n" + event + "\n" + challenge + "\n" + parts[1]
	return parts[1], err == nil && ed25519.Verify(key, []byte(signed), signature)
}
func main() {
	handle, ok := handleOf(os.Args[1], os.Args[2], os.Args[3], os.Args[4])
	if !ok {
		os.Exit(1)
	}
	os.Stdout.WriteString(handle + "\n")
}
