@rem The npm scripts begin with "exec", so that on Unix a signal to npm reaches Node and not a shell before it.
@rem Windows has no exec: this file stands in for it and just runs what follows.
@%*
