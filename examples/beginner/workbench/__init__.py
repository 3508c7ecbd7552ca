"""What the makers and solvers of the example challenges share. Standard library only, never served.

Everything here writes the same bytes on every machine, so that attachments can be rebuilt and
compared; that is why it has its own writer of deflate streams (see deflate.py).
"""
