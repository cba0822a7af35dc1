/* Races that schedules of one launch show, each by the happens-before of its own execution. */
#include "interp/schedule.h"

bool interp_race_in_schedules(const ir_function *kernel, const concrete_launch *launch,
                              const model_choices *choices, const interp_limits *limits,
                              uint64_t schedules, interp_seen_race *seen)
{
    for (uint64_t n = 0; n < schedules; n++) {
        interp_schedule schedule = {
            .policy = n ? INTERP_RANDOM : INTERP_IN_ORDER, .seed = n, .weak = n % 2 == 0 && n > 0};
        interp_run *run =
            interp_execute_scheduled(kernel, launch, choices, limits, 0, NULL, &schedule);
        interp_race race;
        bool found = interp_find_races(run, choices, false, &race, 1, NULL) > 0;
        if (found)
            *seen = (interp_seen_race){
                .ops = {interp_op_of(run, race.a.instance), interp_op_of(run, race.b.instance)},
                .blocks = {race.a.block, race.b.block},
                .schedule = n};
        interp_run_free(run);
        if (found)
            return true;
    }
    return false;
}
