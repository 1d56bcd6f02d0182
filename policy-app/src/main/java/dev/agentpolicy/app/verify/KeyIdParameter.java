package dev.agentpolicy.app.verify;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Takes the word after an option as its value even if it begins with a hyphen, as a key id may. */
final class KeyIdParameter implements IParameterPreprocessor {
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (words.isEmpty()) {
            return false;
        }
        option.setValue(words.pop());
        return true;
    }
}
