package dev.agentpolicy.app.verify;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Takes the word after an option as its value whatever it looks like: a key id may begin with a hyphen. */
final class KeyIdAsGiven implements IParameterPreprocessor {
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (words.isEmpty()) {
            return false;
        }
        option.setValue(words.pop());
        return true;
    }
}
