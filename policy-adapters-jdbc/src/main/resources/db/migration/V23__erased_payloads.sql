-- The audit feed remembers rows once they were read, and looked at again only for whether their payload was erased since.
${index_of_erased};
