/* Verifies a team pass: verify PUBLIC_KEY EVENT_ID CHALLENGE_ID PASS prints the team's handle. */
#include <openssl/evp.h> /* Link with -lcrypto. */
#include <stdio.h>
#include <string.h>
#define FORMAT "fp1.%64[A-Za-z0-9_-].%85[A-Za-z0-9_-]%1[AQgw]%c"
static int decode(const char *text, unsigned char *out, int length) {
    char padded[92] = {0}; /* Base64url becomes base64. */
    if (strlen(text) != (size_t)(length * 4 + 2) / 3 || strpbrk(text, "+/")) return 0;
    memset(strcpy(padded, text) + strlen(text), '=', (3 - length % 3) % 3);
    for (char *c = padded; *c; c++) *c = *c == '-' ? '+' : *c == '_' ? '/' : *c;
    return EVP_DecodeBlock(out, (unsigned char *)padded, strlen(padded)) >= length;
}
int main(int count, char **given) {
    unsigned char key[36], signature[68];
    char handle[65] = {0}, sig[88] = {0}, text[300], end;
    if (count != 5 || sscanf(given[4], FORMAT, handle, sig, sig + 85, &end) != 3) return 1;
    if (!decode(given[1], key, 32) || !decode(sig, signature, 64)) return 1;
    int length = snprintf(text, 300, "flagship-pass:1\n%s\n%s\n%s", given[2], given[3], handle);
    EVP_PKEY *public = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (length >= (int)sizeof text || !public) return 1;
    EVP_DigestVerifyInit(context, NULL, NULL, NULL, public);
    if (EVP_DigestVerify(context, signature, 64, (unsigned char *)text, length) != 1) return 1;
    return puts(handle) < 0;
}
