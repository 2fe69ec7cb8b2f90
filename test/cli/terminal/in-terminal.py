"""Runs a program in a terminal of so many columns and tells what it wrote there: in-terminal.py COLUMNS PROGRAM..."""
import fcntl, os, pty, struct, sys, termios

columns, program = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.execvp(program[0], program)
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    os.write(1, piece)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
