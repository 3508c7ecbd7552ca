# The fog horn of Pier Zero. Reads a password, says "Tuuuut!" or "...".
# x86-64 Linux, Intel order: `mov a, b` puts b into a.

        .intel_syntax noprefix
        .section .rodata
horn:                                   # what the typed bytes are compared with
        .byte 0x2a, 0x08, 0x0d, 0x1d, 0x0d, 0x4d, 0xea, 0xb8
        .byte 0xcd, 0xfb, 0xd9, 0x90, 0x9d, 0xea, 0x88, 0xf4
        .byte 0x95, 0xe5, 0x87, 0xe8, 0xd7, 0x80, 0xc7, 0x86
horn_end:
yes:    .ascii "Tuuuut!\n"
no:     .ascii "...\n"

        .bss
typed:  .skip 256                       # room for what is typed

        .text
        .globl _start
_start:
        xor     eax, eax                # system call 0 is "read"
        xor     edi, edi                # from the keyboard
        lea     rsi, typed[rip]         # into `typed`
        mov     edx, 256                # at most so many bytes
        syscall

        lea     rsi, typed[rip]         # rsi points to the first typed byte
        lea     rdi, horn[rip]          # rdi points to the first byte of the table
        mov     ecx, offset horn_end - horn     # ecx counts how many are left
        mov     dl, 0x5a                # dl is 0x5a in the first round

round:
        mov     al, [rsi]               # take a typed byte
        xor     al, dl                  # XOR it with dl
        cmp     al, [rdi]               # the same as in the table?
        jne     wrong                   # if not: give up
        add     dl, 7                   # dl grows by 7 (it is one byte: after 255 comes 0)
        inc     rsi                     # the next typed byte
        inc     rdi                     # the next byte of the table
        dec     ecx                     # one less to go
        jnz     round                   # any left? once more

        lea     rsi, yes[rip]           # all were right
        mov     edx, 8
        jmp     say

wrong:
        lea     rsi, no[rip]
        mov     edx, 4

say:
        mov     eax, 1                  # system call 1 is "write"
        mov     edi, 1                  # to the screen
        syscall
        mov     eax, 60                 # system call 60 is "exit"
        xor     edi, edi
        syscall
