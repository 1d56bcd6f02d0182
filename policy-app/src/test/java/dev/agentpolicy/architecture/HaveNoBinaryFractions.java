package dev.agentpolicy.architecture;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.regex.Pattern;

/** Neither holds, takes, answers nor calls for a float or double, boxed or not. */
final class HaveNoBinaryFractions extends ArchCondition<JavaClass> {
    /** As a class is named, or as the element of an array is. */
    private static final Pattern BINARY =
            Pattern.compile("float|double|java\\.lang\\.(Float|Double)|\\[+(F|D|Ljava\\.lang\\.(Float|Double);)");

    HaveNoBinaryFractions() {
        super("have no float and no double");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaField field : type.getFields()) {
            report(type, field.getFullName(), List.of(field.getRawType()), events);
        }
        for (JavaCodeUnit unit : type.getCodeUnits()) {
            report(type, unit.getFullName(), List.of(unit.getRawReturnType()), events);
            report(type, unit.getFullName(), unit.getRawParameterTypes(), events);
        }
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
            if (access instanceof JavaCodeUnitAccess<?> call) {
                report(type, call.getDescription(), List.of(call.getTarget().getRawReturnType()), events);
                report(type, call.getDescription(), call.getTarget().getRawParameterTypes(), events);
            }
        }
    }

    private static void report(JavaClass type, String where, List<JavaClass> used, ConditionEvents events) {
        for (JavaClass each : used) {
            if (BINARY.matcher(each.getName()).matches()) {
                events.add(SimpleConditionEvent.violated(type, where + " uses " + each.getName()));
            }
        }
    }
}
