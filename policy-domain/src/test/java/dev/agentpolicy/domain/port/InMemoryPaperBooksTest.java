package dev.agentpolicy.domain.port;

class InMemoryPaperBooksTest implements PaperBooksContract {
    private final PaperBooks books = new InMemoryPaperBooks();

    @Override
    public PaperBooks books() {
        return books;
    }

    @Override
    public PaperBooks otherNode() {
        return books;
    }
}
