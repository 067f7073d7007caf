"""What must stay quick: each module `bench_<topic>` here measures one thing and says what it may cost."""
